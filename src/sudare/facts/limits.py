"""How much one run may ask for.

A limit is known from plan and schema, and refuses before anything is charged. Each stands where a
run of this size still ends within about a minute of one processor on a small table; rows come on
top, and their number is nobody's choice.
"""

from __future__ import annotations

# Shares of ε are found for all questions of a plan together.
MOST_QUESTIONS = 500
# Labels of a category: every one is written into the engine's query.
MOST_LABELS = 100_000
# Bins or groups of numbers that no formula finds are searched, one comparison written out for each.
MOST_CUTS = 10_000
# Noisy numbers of all questions of a plan.
MOST_NUMBERS = 2_000_000
# Groups, of all questions, in which a value is chosen privately: each choice scores a whole range.
MOST_CHOICES = 5_000
# Questions that learn from a table: the error of each is forecast dozens of times, and each takes
# several passes over the rows.
MOST_LEARNED = 50
# Blocks of a program run one after the other, each for its whole tick.
MOST_BLOCK_SECONDS = 86_400
