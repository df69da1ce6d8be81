"""Rotary settings of published models by name, each with where they are stated."""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from quizapp.encodings import phi_factors
from quizapp.encodings.checks import EncodingError
from quizapp.encodings.rope import rotary_dimension
from quizapp.encodings.scaling import Scaled, Scaling, scale

_UNSCALED = Scaling()


@dataclass(frozen=True)
class Model:
    """A model's rotary settings. ``length`` is the context it was pretrained at, ``layout`` its native
    pairing.
    """

    title: str
    head_dim: int
    base: float
    length: int
    source: str
    scaling: Scaling = _UNSCALED
    layout: str = "half-split"
    rotary_fraction: float = 1.0

    @property
    def rotary_dim(self) -> int:
        return rotary_dimension(self.head_dim, self.rotary_fraction)

    def scaled(self, length: int | None = None) -> Scaled:
        """The frequencies the model runs with at a current sequence length."""
        return scale(self.scaling, self.rotary_dim, self.base, length)


def _yarn(factor: float, original: int, **rest: float | bool) -> Scaling:
    return Scaling("yarn", factor, original, **rest)  # type: ignore[arg-type]


def _llama3(factor: float, high: float = 4.0) -> Scaling:
    return Scaling("llama3", factor, 8192, low_freq_factor=1.0, high_freq_factor=high)


_LLAMA2 = "meta-llama/llama, model.py: theta 10000, heads of 128; trained at 4096"
_LLAMA31 = "meta-llama/llama-models, apply_scaling; config.json rope_scaling"
_DEEPSEEK = "deepseek-ai/DeepSeek-V3, model.py and config.json (qk_rope_head_dim 64)"
_GPT_OSS = "openai/gpt-oss, gpt_oss/torch/model.py (ModelConfig, truncate false)"

MODELS: dict[str, Model] = {
    "llama-1-7b": Model(
        "LLaMA 7B", 128, 1e4, 2048, "Touvron et al. 2023: trained at 2048", layout="interleaved"
    ),
    "llama-2-7b": Model("Llama 2 7B", 128, 1e4, 4096, _LLAMA2, layout="interleaved"),
    "llama-2-13b": Model("Llama 2 13B", 128, 1e4, 4096, _LLAMA2, layout="interleaved"),
    "llama-2-70b": Model("Llama 2 70B", 128, 1e4, 4096, _LLAMA2, layout="interleaved"),
    "code-llama-7b": Model(
        "Code Llama 7B", 128, 1e6, 16384, "Rozière et al. 2023: base raised to 1e6", layout="interleaved"
    ),
    "yarn-llama-2-7b-64k": Model(
        "Yarn Llama 2 7B 64k", 128, 1e4, 4096, "jquesnelle/yarn; Peng et al. 2023", _yarn(16, 4096)
    ),
    "yarn-llama-2-7b-128k": Model(
        "Yarn Llama 2 7B 128k", 128, 1e4, 4096, "jquesnelle/yarn; Peng et al. 2023", _yarn(32, 4096)
    ),
    "llama-3-8b": Model(
        "Llama 3 8B", 128, 5e5, 8192, "meta-llama/llama-models, llama3/args.py", layout="interleaved"
    ),
    "llama-3.1-8b": Model("Llama 3.1 8B", 128, 5e5, 8192, _LLAMA31, _llama3(8), "interleaved"),
    "llama-3.1-70b": Model("Llama 3.1 70B", 128, 5e5, 8192, _LLAMA31, _llama3(8), "interleaved"),
    "llama-3.1-405b": Model("Llama 3.1 405B", 128, 5e5, 8192, _LLAMA31, _llama3(8), "interleaved"),
    "llama-3.2-1b": Model(
        "Llama 3.2 1B", 64, 5e5, 8192, _LLAMA31 + " (factor 32)", _llama3(32), "interleaved"
    ),
    "llama-3.2-3b": Model(
        "Llama 3.2 3B", 128, 5e5, 8192, _LLAMA31 + " (factor 32)", _llama3(32), "interleaved"
    ),
    "llama-4-scout": Model(
        "Llama 4 Scout", 128, 5e5, 8192, "meta-llama/llama-models, llama4", _llama3(16, 1.0), "interleaved"
    ),
    "mistral-7b-v0.1": Model(
        "Mistral 7B v0.1", 128, 1e4, 8192, "Jiang et al. 2023; config.json rope_theta 10000"
    ),
    "mistral-7b-v0.3": Model("Mistral 7B v0.3", 128, 1e6, 32768, "config.json: rope_theta 1000000"),
    "yarn-mistral-7b-64k": Model(
        "Yarn Mistral 7B 64k", 128, 1e4, 8192, "Peng et al. 2023, B.4", _yarn(8, 8192)
    ),
    "qwen2.5-7b": Model("Qwen2.5 7B", 128, 1e6, 32768, "config.json: rope_theta 1000000"),
    "qwen2.5-7b-128k": Model(
        "Qwen2.5 7B with YaRN",
        128,
        1e6,
        32768,
        "Qwen2.5 README, long texts: factor 4 over 32768",
        _yarn(4, 32768),
    ),
    "phi-2": Model("Phi-2", 80, 1e4, 2048, "config.json: partial_rotary_factor 0.4", rotary_fraction=0.4),
    "phi-3.5-mini": Model(
        "Phi-3.5 mini",
        96,
        1e4,
        4096,
        "config.json: rope_scaling longrope",
        Scaling(
            "longrope",
            32,
            4096,
            short_factors=phi_factors.PHI_3_5_MINI_SHORT,
            long_factors=phi_factors.PHI_3_5_MINI_LONG,
        ),
    ),
    "phi-3-vision-128k": Model(
        "Phi-3 vision 128k",
        96,
        1e4,
        4096,
        "config.json: rope_scaling su, the earlier name of longrope",
        Scaling(
            "longrope",
            32,
            4096,
            short_factors=phi_factors.PHI_3_VISION_128K_SHORT,
            long_factors=phi_factors.PHI_3_VISION_128K_LONG,
        ),
    ),
    "gpt-oss-20b": Model("gpt-oss 20B", 64, 1.5e5, 4096, _GPT_OSS, _yarn(32, 4096, truncate=False)),
    "gpt-oss-120b": Model("gpt-oss 120B", 64, 1.5e5, 4096, _GPT_OSS, _yarn(32, 4096, truncate=False)),
    "deepseek-v3": Model(
        "DeepSeek-V3",
        64,
        1e4,
        4096,
        _DEEPSEEK,
        _yarn(40, 4096, mscale=1.0, mscale_all_dim=1.0),
        "interleaved",
    ),
    "deepseek-v2-lite": Model(
        "DeepSeek-V2 Lite",
        64,
        1e4,
        4096,
        "config.json: yarn, mscale 0.707",
        _yarn(40, 4096, mscale=0.707, mscale_all_dim=0.707),
        "interleaved",
    ),
    "gemma-3-4b-global": Model(
        "Gemma 3 4B, global layers",
        256,
        1e6,
        32768,
        "transformers, Gemma 3: base 1e6, linear 8",
        Scaling("linear", 8, 32768),
    ),
    "gemma-3-4b-local": Model(
        "Gemma 3 4B, local layers", 256, 1e4, 32768, "transformers, Gemma 3: base 10000"
    ),
    "smollm3-3b": Model(
        "SmolLM3 3B",
        128,
        5e6,
        65536,
        "model page: theta 5M (transformers' class default is 2M); every 4th layer NoPE",
    ),
    "gpt-neox-20b": Model(
        "GPT-NeoX 20B",
        96,
        1e4,
        2048,
        "Black et al. 2022: a quarter of the head rotates",
        rotary_fraction=0.25,
    ),
    "pythia-70m": Model("Pythia 70M", 64, 1e4, 2048, "config.json: rotary_pct 0.25", rotary_fraction=0.25),
    "gpt-j-6b": Model(
        "GPT-J 6B", 256, 1e4, 2048, "config.json: rotary_dim 64", layout="interleaved", rotary_fraction=0.25
    ),
}


def find(name: str) -> Model:
    """The model of that name, upper or lower case; raises EncodingError with a suggestion for an unknown
    one.
    """
    wanted = name.strip().lower().replace("_", "-")
    if wanted in MODELS:
        return MODELS[wanted]
    near = difflib.get_close_matches(wanted, MODELS, n=3, cutoff=0.5)
    hint = f"did you mean {' or '.join(near)}? " if near else ""
    raise EncodingError(f"unknown model {name!r}; {hint}Known: {', '.join(MODELS)}")
