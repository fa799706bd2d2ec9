"""What whoever waits for functions to be compiled is told, once, on a terminal and in a log alike.

A watcher is told of steps and shares of them; these steps are sentences of their own.
"""

from __future__ import annotations

COMPILING = "Compiling what large files need, once on this machine: about a minute."
IN_MEMORY = "Compiling for this run alone, because the cache folder cannot be written to."
SLOWLY = "Running without numba, which takes minutes here: pip install 'sudare[sets]' is faster."

SENTENCES = frozenset({COMPILING, IN_MEMORY, SLOWLY})
JAPANESE = {
    COMPILING: "大きなファイル用の処理をコンパイルしています（この計算機で一度だけ、約 1 分）。",
    IN_MEMORY: "キャッシュフォルダに書き込めないため、この実行のためだけにコンパイルしています。",
    SLOWLY: "numba なしで実行するため数分かかります。pip install 'sudare[sets]' で速くなります。",
}
