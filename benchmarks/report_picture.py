"""Pictures of a report for the README: the demo's first report in both languages, by Chromium.

    python benchmarks/report_picture.py [--folder docs/pictures] [--chromium chromium]

Runs `sudare demo --only ask` in a folder of its own, shows its report 1280 pixels wide, and writes
report.png and report.ja.png. The noise is fresh, so the numbers are others each time.
"""

from __future__ import annotations

import argparse
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

WIDTH, HEIGHT = 1280, 1000
LARGEST = 200_000
NAMES = {"en": "report.png", "ja": "report.ja.png"}
_QUIET = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--hide-scrollbars", "--force-device-scale-factor=1", "--blink-settings=preferredColorScheme=1",
)  # fmt: skip
_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--folder", type=Path, default=Path("docs/pictures"))
    parser.add_argument("--chromium", default=shutil.which("chromium") or "chromium")
    words = parser.parse_args()
    words.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as place:
        for language, name in NAMES.items():
            target = words.folder / name
            try:
                _picture(words.chromium, _report(Path(place), language), target, Path(place))
            except FileNotFoundError:
                print("Chromium is not installed: apt-get install chromium fonts-noto-cjk")
                return 1
            target.write_bytes(_smaller(target.read_bytes()))
            size = target.stat().st_size
            print(f"{target}: {WIDTH} × {HEIGHT} pixels, {size:,} bytes")
            if size > LARGEST:
                print(f"That is more than {LARGEST:,} bytes.")
                return 1
    return 0


def _report(place: Path, language: str) -> Path:
    """The demo's first report, made in this language."""
    folder = place / language
    subprocess.run(
        [sys.executable, "-m", "sudare.cli.app", "demo", "--only", "ask", "--lang", language,
         "--output", str(folder)],
        check=True,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip
    return folder / "report.html"


def _picture(chromium: str, page: Path, target: Path, place: Path) -> None:
    subprocess.run(
        [chromium, *_QUIET, f"--user-data-dir={place / 'profile'}",
         f"--window-size={WIDTH},{HEIGHT}", f"--screenshot={target.resolve()}",
         page.resolve().as_uri()],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=os.environ,
    )  # fmt: skip


def _smaller(png: bytes) -> bytes:
    """The same picture without its text blocks and packed as tightly as zlib can."""
    parts, packed, place = [], b"", len(_SIGNATURE)
    while place < len(png):
        (length,) = struct.unpack_from(">I", png, place)
        kind, body = png[place + 4 : place + 8], png[place + 8 : place + 8 + length]
        place += length + 12
        if kind == b"IDAT":
            packed += body
        elif kind == b"IHDR":
            parts.append((kind, body))
    parts += [(b"IDAT", zlib.compress(zlib.decompress(packed), 9)), (b"IEND", b"")]
    return _SIGNATURE + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in parts
    )


if __name__ == "__main__":
    raise SystemExit(main())
