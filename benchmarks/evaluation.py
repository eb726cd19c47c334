"""Asking speed: this project, inspect_ai and a bare httpx loop, on the same items against the same loopback server.

    python benchmarks/evaluation.py            # 1,000 items of two 1280×800 PNGs, 50 ms latency, 32 at once
    python benchmarks/evaluation.py --quick    # 200 items, a shorter growth test, a minute

Client and server get a core each. CPU and memory are of the whole client process, imports included; items/s without
them. Every client is also run on a few items with a server that hashes what arrives. Then, for this project alone: cost
per item up to 20,000 items, and what kill -9 at half costs. inspect_ai goes into an environment of its own; where it
cannot be installed its row says so.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import hashlib
import importlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
CLIENT_CORE, SERVER_CORE = 0, 1
CONCURRENCY = 32
LATENCY_S = 0.05
NOISE_BYTES = 138_000
"""Of the random patch in each picture; the PNG comes to about 150 kB."""
CHECKED_ITEMS = 40
PROMPT = (
    "You are shown two screenshots of a web page, first an earlier and then a later one. Something in the page may "
    "have been altered between them, or nothing at all. Describe each visible alteration: which element it concerns, "
    "where on the page it stands, what about it is different and in which direction. If you see no difference, say so."
)


# ---------------------------------------------------------------------------------------------------------- the clients


def call_images(folder: Path, index: int, files: int) -> tuple[bytes, bytes]:
    """PNG bytes of an item; beyond the number of files they are used again."""
    return (
        (folder / f"{index % files}_before.png").read_bytes(),
        (folder / f"{index % files}_after.png").read_bytes(),
    )


def ask_with_this_project(url: str, folder: Path, items: int, files: int, journal_path: str) -> int:
    """All durable, every row complete."""
    from diffbench_assets.models.journal import Journal
    from diffbench_assets.models.registry import EndpointModel
    from diffbench_assets.models.requests import Call
    from diffbench_assets.models.run import Run

    model = EndpointModel(id="loopback", endpoint=url, concurrency=CONCURRENCY)
    calls = (
        Call(f"pair-{index}", (f"item=pair-{index} {PROMPT}", *call_images(folder, index, files)))
        for index in range(items)
    )
    with Journal(journal_path) as journal:
        return sum(reply.outcome == "completed" for reply in Run(model, calls, journal))


def ask_with_httpx(url: str, folder: Path, items: int, files: int, _: str) -> int:
    """The loop one writes first: no retries, no limits, nothing kept."""
    import httpx

    async def ask_all() -> int:
        limits = httpx.Limits(max_connections=CONCURRENCY, max_keepalive_connections=CONCURRENCY)
        places = asyncio.Semaphore(CONCURRENCY)
        async with httpx.AsyncClient(limits=limits, timeout=600) as client:

            async def ask(index: int) -> str:
                async with places:
                    urls = [
                        "data:image/png;base64," + base64.b64encode(image).decode()
                        for image in call_images(folder, index, files)
                    ]
                    images = [{"type": "image_url", "image_url": {"url": url}} for url in urls]
                    content = [{"type": "text", "text": f"item=pair-{index} {PROMPT}"}, *images]
                    body = {
                        "model": "loopback",
                        "temperature": 0,
                        "max_tokens": 16384,
                        "messages": [{"role": "user", "content": content}],
                    }
                    response = await client.post(f"{url}/chat/completions", json=body)
                    return response.json()["choices"][0]["message"]["content"]

            return len(await asyncio.gather(*map(ask, range(items))))

    return asyncio.run(ask_all())


CLIENTS = {
    "ours": (ask_with_this_project, "diffbench_assets.models.run"),
    "httpx": (ask_with_httpx, "httpx"),
}


def run_client(name: str, *arguments: str) -> None:
    """What a client process does; prints one JSON line."""
    url, folder, items, files, journal = arguments
    ask, module = CLIENTS[name]
    importlib.import_module(module)
    started = time.perf_counter()
    answered = ask(url, Path(folder), int(items), int(files), journal)
    print(json.dumps({"seconds": time.perf_counter() - started, "answered": answered}))


# --------------------------------------------------------------------------------------------------------- measuring


@dataclass(frozen=True)
class Measured:
    items: int
    seconds: float
    cpu_s: float
    peak_mib: float

    def row(self, name: str) -> str:
        rate, cpu = self.items / self.seconds, 1000 * self.cpu_s / self.items
        return f"{name:<34}{self.items:>7,}{rate:>10.0f}{cpu:>18.2f}{self.peak_mib:>10.0f}"


HEADER = f"{'':<34}{'items':>7}{'items/s':>10}{'CPU s per 1,000':>18}{'peak MiB':>10}"


class Server:
    """The loopback server in a process of its own, on its own core."""

    def __init__(self, *options: str) -> None:
        command = [sys.executable, "-m", "diffbench_assets_tests.models.chat_server", *options]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=HERE.parent, preexec_fn=lambda: pin(SERVER_CORE)
        )
        assert self._process.stdout
        self.url = self._process.stdout.readline().decode().strip()

    def stop(self) -> dict[str, tuple[int, list[str]]]:
        """End it; returns for each item how often it was asked, and the hashes of its images if they were taken."""
        output, _ = self._process.communicate()
        return json.loads(output)


@contextmanager
def serving(*options: str) -> Iterator[Server]:
    server = Server(*options)
    try:
        yield server
    finally:
        if server._process.poll() is None:
            server._process.kill()
            server._process.wait()


def pin(core: int) -> None:
    cores = sorted(os.sched_getaffinity(0))
    os.sched_setaffinity(0, {cores[core % len(cores)]})


def start(command: list[str], **environment: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        cwd=HERE.parent,
        env=os.environ | {"PYTHONPATH": str(HERE.parent)} | environment,
        preexec_fn=lambda: pin(CLIENT_CORE),
    )


def measure(items: int, command: list[str], **environment: str) -> Measured:
    """Run a client to its end."""
    process = start(command, **environment)
    assert process.stdout
    lines = process.stdout.read().decode().splitlines()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode or not lines:
        raise SystemExit(f"the client failed: {' '.join(command)}")
    result = json.loads(lines[-1])
    if result["answered"] != items:
        raise SystemExit(f"only {result['answered']} of {items} items were answered: {' '.join(command)}")
    return Measured(items, result["seconds"], usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def make_images(folder: Path, items: int) -> None:
    """Two PNGs an item, all different: one page-like picture with a random patch, each with a text chunk of its own."""
    import numpy as np
    from PIL import Image

    rng = np.random.default_rng(0)
    page = np.full((800, 1280, 3), 250, np.uint8)
    for top in range(40, 760, 24):
        page[top : top + 8, 60 : 60 + int(rng.integers(300, 1100))] = 60
    side = int((NOISE_BYTES / 3) ** 0.5)
    page[300 : 300 + side, 700 : 700 + side] = rng.integers(0, 256, (side, side, 3))
    bases = []
    for name in ("before", "after"):
        page[100:140, 900:1000] = (200, 30, 30) if name == "before" else (30, 30, 200)
        path = folder / f"base_{name}.png"
        Image.fromarray(page).save(path)
        bases.append((name, path.read_bytes()))
    for index in range(items):
        for name, png in bases:
            data = b"tEXtitem\0" + f"{name} {index}".encode()
            chunk = (len(data) - 4).to_bytes(4, "big") + data + zlib.crc32(data).to_bytes(4, "big")
            (folder / f"{index}_{name}.png").write_bytes(png[:33] + chunk + png[33:])
    (folder / "prompt.txt").write_text(PROMPT, encoding="utf-8")


def inspect_python(folder: Path, given: str | None) -> Path | None:
    """The Python of an environment that has inspect_ai; made here unless one is given. None when it cannot be made."""
    home = Path(given) if given else folder / "inspect_ai"
    python = home / "bin" / "python"
    if not python.exists():
        print("installing inspect_ai into an environment of its own …", flush=True)
        install = [str(python), "-m", "pip", "install", "--quiet", "inspect_ai", "openai"]
        for command in ([sys.executable, "-m", "venv", str(home)], install):
            if subprocess.run(command, stderr=subprocess.DEVNULL).returncode:
                return None
    version = "import importlib.metadata as m; print('inspect_ai', m.version('inspect_ai'))"
    print(subprocess.run([str(python), "-c", version], capture_output=True, text=True).stdout.strip())
    return python


# ----------------------------------------------------------------------------------------------------------- the parts


class Bench:
    def __init__(self, folder: Path, files: int) -> None:
        self.folder, self.files = folder, files
        self.images = folder / "images"
        self.images.mkdir()
        make_images(self.images, files)

    def command(self, name: str, url: str, items: int, journal: str) -> list[str]:
        me = [sys.executable, str(Path(__file__).resolve()), "--client", name]
        return [*me, url, str(self.images), str(items), str(self.files), str(self.folder / journal)]

    def inspect(self, python: Path, url: str, items: int, logs: str) -> Measured:
        client = str(HERE / "inspect_ai_client.py")
        command = [str(python), client, str(self.images), str(items), str(CONCURRENCY), str(self.folder / logs)]
        key = {"LOOPBACK_BASE_URL": url, "LOOPBACK_API_KEY": "none"}
        return measure(items, command, **key)

    def side_by_side(self, items: int, python: Path | None) -> None:
        """Throughput, CPU and memory of each client on the same items."""
        print(f"\n{items:,} items of two PNGs, {LATENCY_S * 1000:.0f} ms latency, {CONCURRENCY} at once")
        print(HEADER)
        rates: dict[str, float] = {}
        for name, title in (("ours", "this project (all durable)"), ("httpx", "bare httpx loop (nothing kept)")):
            with serving("--latency", str(LATENCY_S)) as server:
                result = measure(items, self.command(name, server.url, items, f"{name}.jsonl"))
                rates[name] = items / result.seconds
                print(result.row(title), flush=True)
        if python is None:
            print("inspect_ai                        skipped: it cannot be installed here (no package index?)")
            return
        with serving("--latency", str(LATENCY_S)) as server:
            result = self.inspect(python, server.url, items, "logs")
            print(result.row("inspect_ai, as it comes"))
        print(f"this project against inspect_ai: {rates['ours'] * result.seconds / items:.1f} times the throughput")

    def intact(self, python: Path | None) -> None:
        """Whether the bytes of the images arrive as they lie on disk, first before, then after."""
        items = min(CHECKED_ITEMS, self.files)
        wanted = {
            f"pair-{n}": [hashlib.sha256(image).hexdigest() for image in call_images(self.images, n, self.files)]
            for n in range(items)
        }
        for name in ("ours", "httpx", *(["inspect_ai"] if python else [])):
            with serving("--hash-images") as server:
                if name == "inspect_ai" and python:
                    self.inspect(python, server.url, items, "check_logs")
                else:
                    measure(items, self.command(name, server.url, items, f"check_{name}.jsonl"))
                arrived = server.stop()
            right = sum(arrived.get(item, [0, []])[1] == hashes for item, hashes in wanted.items())
            print(f"{name}: images of {right} of {items} items arrived byte for byte")
            if name == "ours" and right != items:
                raise SystemExit("images were changed on the way")

    def growth(self, counts: tuple[int, ...]) -> None:
        """Cost per item as the number of items grows; the server answers at once."""
        print("\nthis project, no latency, one journal each: cost per item as the run grows")
        print(HEADER)
        for count in counts:
            with serving() as server:
                command = self.command("ours", server.url, count, f"growth_{count}.jsonl")
                print(measure(count, command).row(""), flush=True)
        journal = self.folder / f"growth_{counts[-1]}.jsonl"
        with serving() as server:
            result = measure(counts[-1], self.command("ours", server.url, counts[-1], journal.name))
            print(result.row("the last again, all from the journal"))
            if server.stop():
                raise SystemExit("something finished was asked again")

    def kill_at_half(self, items: int) -> None:
        """kill -9 when half is answered, then run again on the same journal."""
        with serving("--latency", str(LATENCY_S)) as server:
            whole = measure(items, self.command("ours", server.url, items, "whole.jsonl"))
        journal = self.folder / "killed.jsonl"
        with serving("--latency", str(LATENCY_S)) as server:
            command = self.command("ours", server.url, items, journal.name)
            process = start(command)
            while count_lines(journal) < items // 2:
                time.sleep(0.005)
            process.send_signal(signal.SIGKILL)
            process.communicate()
            finished = [json.loads(line)["request_sha256"] for line in whole_lines(journal)]
            rest = measure(items, command)
            asked = server.stop()
        repeated = sum(times > 1 for times, _ in asked.values())
        kept = [json.loads(line)["request_sha256"] for line in whole_lines(journal)]
        print(f"\nkill -9 after {len(finished)} of {items} answers, then run again")
        print(f"whole run {whole.seconds:.2f} s, resumed run {rest.seconds:.2f} s ({rest.seconds / whole.seconds:.0%})")
        print(
            f"finished and asked again: {len(kept) - len(set(kept))}; in flight at the kill and sent again: {repeated}"
        )
        if len(kept) != len(set(kept)) or len(kept) != items or repeated > CONCURRENCY:
            raise SystemExit("a finished call was sent again")


def whole_lines(path: Path) -> list[bytes]:
    return [line for line in path.read_bytes().splitlines(keepends=True) if line.endswith(b"\n")]


def count_lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="200 items and a short growth test")
    parser.add_argument("--without-inspect", action="store_true", help="leave inspect_ai out")
    parser.add_argument("--inspect-venv", help="an environment that has inspect_ai, or where to make one and keep it")
    parser.add_argument("--client", nargs="+", help=argparse.SUPPRESS)
    options: Any = parser.parse_args(arguments)
    if options.client:
        run_client(*options.client)
        return
    items = 200 if options.quick else 1000
    folder = Path(tempfile.mkdtemp(prefix="diffbench-evaluation-"))
    try:
        bench = Bench(folder, items)
        size = (bench.images / "0_before.png").stat().st_size
        print(f"images of {size / 1000:.0f} kB; {len(os.sched_getaffinity(0))} cores")
        python = None if options.without_inspect else inspect_python(folder, options.inspect_venv)
        bench.side_by_side(items, python)
        bench.intact(python)
        bench.growth((200, 1000) if options.quick else (1000, 5000, 20_000))
        bench.kill_at_half(items)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
