"""Many coins at once, each landing heads with exactly its own probability.

Claim    `Coins.flip` returns independent exact Bernoulli(p_i); it reads one word of 32 bits per
         flip, and more only with probability 2^-32 a flip.
Source   docs/decisions/0003-digit-sampling.md, "Ties".
Symbols  p_i -> chances[i]; u -> a uniform number in [0, 1) whose binary digits are the stream.
Needs    fair bits.
Gaps     none known.

Heads means u < p. The first word of u decides unless it equals the first word of p; on such a tie,
and only then, the next words of both are compared until they differ.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sudare.randomness.bits import RandomBits, words32
from sudare.randomness.chances import Chance

# Words handled in one step: 128 KiB of stream stay in the cache between drawing and comparing.
STEP = 2**15


class Coins:
    """A fixed row of coins. The thresholds are computed once, when the row is built."""

    def __init__(self, chances: Sequence[Chance]) -> None:
        self.chances = tuple(chances)
        self._thresholds = np.array([chance.leading(1) for chance in chances], dtype=np.uint32)

    def __len__(self) -> int:
        return len(self.chances)

    def flip(self, bits: RandomBits, count: int) -> NDArray[np.bool_]:
        """Flip every coin `count` times; row i of the answer belongs to coin i.

        The stream is read row after row; words that settle ties follow the step they occur in.
        """
        heads = np.empty((len(self), count), dtype=np.bool_)
        rows = max(1, STEP // max(1, count))
        for start in range(0, len(self), rows):
            thresholds = self._thresholds[start : start + rows, np.newaxis]
            drawn = words32(bits, thresholds.size * count).reshape(thresholds.size, count)
            np.less(drawn, thresholds, out=heads[start : start + rows])
            ties = drawn == thresholds
            if ties.any():
                for row, column in np.argwhere(ties):
                    heads[start + row, column] = settle(bits, self.chances[start + row])
        return heads


def settle(bits: RandomBits, chance: Chance, index: int = 1) -> bool:
    """Whether u < p, given that both agree before the word at `index`; 0 flips a whole coin."""
    while True:
        word, digit = int(words32(bits, 1)[0]), chance.digit(index)
        if word != digit:
            return word < digit
        index += 1
