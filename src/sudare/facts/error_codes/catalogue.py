"""All tables of codes as one: class → code → message."""

from __future__ import annotations

from sudare.facts.error_codes import inputs, plans, running, usage

CATALOGUE = {**usage.CODES, **plans.CODES, **inputs.CODES, **running.CODES}
