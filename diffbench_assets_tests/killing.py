"""Programs that are killed at a moment of the test's choosing, as a machine that goes down would."""

from __future__ import annotations

import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path

REPO = Path(__file__).parents[1]


def run(command: Sequence[object], killed_when: Callable[[], bool] | None = None) -> None:
    """Runs `command` to its end, which must be a good one, or kills it with -9 as soon as `killed_when` says so."""
    program = subprocess.Popen([str(part) for part in command], cwd=REPO, stderr=subprocess.PIPE)
    assert program.stderr is not None
    while killed_when and not killed_when():
        assert program.poll() is None, program.stderr.read()
        time.sleep(0.002)
    if killed_when:
        program.send_signal(signal.SIGKILL)
    _, errors = program.communicate(timeout=60)
    assert program.returncode == (-signal.SIGKILL if killed_when else 0), errors
