"""What to say of each method of context extension, and why it is so."""

from __future__ import annotations

from quizapp.demos import stretch_methods as methods

SAYS = {
    methods.NONE: (
        "With nothing done, the slow pairs run past the angles they were trained on: what attention makes of "
        "those, nobody has trained."
    ),
    methods.INTERPOLATION: (
        "Interpolation squeezes all positions into the trained range, the same as dividing every frequency "
        "by s. Nothing goes past training, but neighbours come to lie s times closer in every pair."
    ),
    methods.NTK: (
        "NTK-aware scaling raises the base, so the last pair is slowed by exactly s and the first not at "
        "all. The slow pairs between are slowed too little to stay within training, so s is set above "
        "the target."
    ),
    methods.DYNAMIC: (
        "Dynamic NTK takes s from the current length, so short texts run untouched. The price: keys that "
        "were turned and cached with an earlier base no longer fit."
    ),
    methods.YARN: (
        "YaRN decides pair by pair: what came round often is kept, what never came round is divided by s, "
        "with a ramp between; and it sharpens attention by a temperature."
    ),
    methods.PAPER_YARN: (
        "YaRN's paper makes the ramp linear in the number of turns; the shipped code makes it linear in the "
        "pair's index. Weights tuned with one do not fit the other."
    ),
    methods.LLAMA3: (
        "Llama 3.1 keeps pairs of more than 4 turns, divides those of less than 1 by s, and blends between, "
        "linear in the turns. It is YaRN's ramp by its paper, with 4 for 32 and no temperature."
    ),
    methods.LONGROPE: (
        "LongRoPE searches a divisor for every pair and ships two lists, a short and a long one; the long "
        "one is used once the text exceeds the trained length."
    ),
}

WHYS = {
    methods.NONE: (
        "A pair that came round in training knows its whole circle. One that did not is taken to new angles "
        "as soon as the text is longer than the training texts."
    ),
    methods.INTERPOLATION: (
        "Position m becomes m/s, so pair i turns by θᵢ/s a position (Chen et al. 2023). Every largest angle is "
        "the trained one; about 1,000 steps of tuning sufficed in the paper. But the fast pairs, which told "
        "neighbours apart and had nothing to fear, are blurred as well."
    ),
    methods.NTK: (
        "b' = b s^(d/(d-2)) divides the frequency of pair i by s^(2i/(d-2)): by 1 for pair 0 alone, by s "
        "for the last. So it does not leave the fast pairs alone, it slows them little. Without tuning it "
        "does better than interpolation; after tuning interpolation is ahead (Peng et al. 2023, section "
        "3.1), as some pairs overshoot."
    ),
    methods.DYNAMIC: (
        "s = max(1, l/L) at the current length l (Peng et al. 2023, section 3.3). At the full length it is "
        "NTK-aware scaling. A cache must hold keys before rotation and turn them anew, or incremental "
        "decoding departs from a full pass beyond the trained length. A server that computes the base once, "
        "for its longest text, loses the point."
    ),
    methods.YARN: (
        "By turns r = L/λ: kept above 32, divided by s below 1, a ramp between. All shipped code, and this "
        "picture, makes the ramp linear in the pair's index between two rounded pairs; equation 18 of the "
        "paper makes it linear in r. Cosines and sines are multiplied by 0.1 ln s + 1, so scores by its "
        "square. 400 steps of tuning sufficed in the paper. gpt-oss leaves the two pairs unrounded; "
        "DeepSeek puts the temperature into the softmax scale."
    ),
    methods.PAPER_YARN: (
        "Equation 18 is linear in r = L/λ from 1 to 32. Turns fall geometrically over the pairs, so it "
        "drops faster than a ramp linear in the index: for Llama 2 and s = 16 the two frequencies of pair "
        "38 differ by a factor of 3."
    ),
    methods.LLAMA3: (
        "The share kept is (r - 1)/(4 - 1), between 0 and 1. For Llama 3.1 (base 500,000, trained at 8,192, "
        "s = 8) 29 pairs are unchanged, 6 blended and 29 divided by 8. Llama 3's base of 500,000 came "
        "before, in pretraining, and the length was raised in stages: the scaling is not all of its recipe."
    ),
    methods.LONGROPE: (
        "The divisors come from a search on the model itself, so they do not carry over: shown is Phi-3.5 "
        "mini, a head of 96. Cosines and sines are multiplied by √(1 + ln s / ln L), for short texts too. "
        "At the switch of lists all cached keys turn invalid; a server that picks the list by allocated "
        "context spoils its short prompts."
    ),
}
