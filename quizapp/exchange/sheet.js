
"use strict";
(() => {
  const all = (selector, inside = document) => Array.from(inside.querySelectorAll(selector));
  const cards = all("main .card");
  const answers = all("main .card details");
  const blanks = all("main .blank input");
  const filter = document.getElementById("filter");
  const count = document.getElementById("count");

  const setAll = (open) => {
    for (const part of answers) part.open = open;
    for (const blank of blanks) blank.checked = open;
  };
  document.getElementById("show").addEventListener("click", () => setAll(true));
  document.getElementById("hide").addEventListener("click", () => setAll(false));

  const texts = cards.map((card) => card.textContent.toLowerCase());
  const applyFilter = () => {
    const words = filter.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    cards.forEach((card, at) => {
      card.hidden = !words.every((word) => texts[at].includes(word));
      shown += card.hidden ? 0 : 1;
    });
    for (const deck of all("main .deck")) deck.hidden = words.length > 0 && !all(".card:not([hidden])", deck).length;
    count.textContent = words.length ? `${shown} of ${cards.length}` : "";
  };
  filter.addEventListener("input", applyFilter);
  filter.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { filter.value = ""; applyFilter(); }
  });
  for (const blank of blanks) {
    blank.addEventListener("keydown", (event) => {
      if (event.key === "Enter") blank.click();
    });
  }

  // Type sizes were chosen without knowing the reader's fonts; here each card gets the largest that fits.
  let fitted = false;
  window.addEventListener("beforeprint", () => {
    if (!CSS.supports("selector(::details-content)")) {
      for (const part of answers) if (!part.open) { part.open = true; part.dataset.opened = ""; }
    }
    if (fitted) return;
    fitted = true;
    document.body.classList.add("measuring");
    for (const face of all(".face")) {
      face.style.fontSize = "10pt";
      const formulas = all(".formula", face).map((formula) => {
        formula.style.fontSize = "1em";
        return [formula, formula.firstElementChild.scrollWidth];
      });
      let size = 10.25;
      do {
        size -= 0.25;
        face.style.fontSize = `${size}pt`;
        for (const [formula, width] of formulas) {
          formula.style.fontSize = `${Math.min(1, (0.97 * formula.clientWidth) / ((width * size) / 10))}em`;
        }
      } while (size > 5 && (face.scrollHeight > face.clientHeight + 1 || face.scrollWidth > face.clientWidth + 1));
    }
    document.body.classList.remove("measuring");
  });
  window.addEventListener("afterprint", () => {
    for (const part of answers) if ("opened" in part.dataset) { part.open = false; delete part.dataset.opened; }
  });

  document.querySelector(".live").hidden = false;
})();
