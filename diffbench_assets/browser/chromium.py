"""Finding a Chromium, or installing one: `python -m diffbench_assets.browser.chromium`.

Tried in turn: the program DIFFBENCH_CHROMIUM names, a browser Playwright has downloaded, one on the system,
Playwright's own download, the system's package manager. Belongs here: this search. Does not belong here: launching
(`render.py`).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

from diffbench_assets.errors import UserError

SYSTEM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


class NoBrowser(UserError):
    """No Chromium can be found or started; the message says what to do."""

    @classmethod
    def not_started(cls, error: Exception) -> NoBrowser:
        """For a browser that is there, with the first line of what it said."""
        return cls(
            "Chromium did not start. Run `make browser`, or set DIFFBENCH_CHROMIUM to a Chromium or Chrome program."
            f" It said: {(str(error) or 'nothing').splitlines()[0]}"
        )


def sandboxed() -> bool:
    """Whether the sandbox can be on: Chromium refuses it to root; for everyone else it stays on."""
    return hasattr(os, "geteuid") and os.geteuid() != 0


def find_chromium() -> str:
    """Path of the browser to launch.

    Raises NoBrowser when DIFFBENCH_CHROMIUM names nothing that exists, or when there is none at all.
    """
    named = os.environ.get("DIFFBENCH_CHROMIUM")
    if named:
        found = shutil.which(named)
        if not found:
            raise NoBrowser(f"DIFFBENCH_CHROMIUM names {named!r}, which is no program; correct or unset it")
        return found
    candidates = (_playwright_shell(), *map(shutil.which, SYSTEM_NAMES))
    for path in candidates:
        if path:
            return path
    raise NoBrowser("no Chromium found: run `make browser`, or set DIFFBENCH_CHROMIUM to a Chromium or Chrome program")


def _playwright_shell() -> str | None:
    """The newest headless shell among the browsers Playwright has downloaded."""
    home = Path(os.environ.get("PLAYWRIGHT_BROWSERS_PATH") or Path.home() / ".cache" / "ms-playwright")
    shells = [path for path in home.glob("chromium_headless_shell-*/*/*headless*shell*") if os.access(path, os.X_OK)]
    return str(max(shells, key=lambda path: path.parts[-3])) if shells else None


def install_chromium() -> str:
    """Installs a Chromium by the first way that works, and returns its path.

    Raises NoBrowser with what was tried.
    """
    apt = ["apt-get", "install", "--yes", "--no-install-recommends"]
    sudo = [] if os.geteuid() == 0 else ["sudo", "--non-interactive"]
    ways: list[list[list[str]]] = [
        [[sys.executable, "-m", "playwright", "install", "--only-shell", "chromium"]],
        [[*sudo, "apt-get", "update"], [*sudo, *apt, "chromium-headless-shell"]],
        [[*sudo, *apt, "chromium"]],
    ]
    for way in ways:
        if all(_succeeds(command) for command in way):
            try:
                return find_chromium()
            except NoBrowser:
                continue
    tried = "; ".join(" ".join(command) for way in ways for command in way)
    raise NoBrowser(f"Chromium could not be installed (tried: {tried}). Install one and set DIFFBENCH_CHROMIUM to it")


def _succeeds(command: list[str]) -> bool:
    if not shutil.which(command[0]):
        return False
    print(f"trying: {' '.join(command)}", file=sys.stderr)
    return subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=900).returncode == 0


def main() -> None:
    """Prints the path of the browser, installing one first when there is none."""
    try:
        try:
            print(find_chromium())
        except NoBrowser:
            if os.environ.get("DIFFBENCH_CHROMIUM"):
                raise
            print(install_chromium())
    except NoBrowser as error:
        raise SystemExit(str(error)) from None


if __name__ == "__main__":
    main()
