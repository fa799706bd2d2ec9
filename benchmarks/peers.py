"""pure-ldp without its RAPPOR, which wants statsmodels and scikit-learn and is not compared."""

from __future__ import annotations

import sys
from types import ModuleType

for _name in ("rappor", "priv_count_sketch", "sketch_response"):
    sys.modules.setdefault(f"pure_ldp.frequency_oracles.{_name}", ModuleType(_name))

from pure_ldp.frequency_oracles.direct_encoding import DEClient  # noqa: E402
from pure_ldp.frequency_oracles.local_hashing import LHClient  # noqa: E402
from pure_ldp.frequency_oracles.unary_encoding import UEClient  # noqa: E402

__all__ = ["DEClient", "LHClient", "UEClient"]
