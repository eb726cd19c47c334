"""Asks the benchmark's items through inspect_ai as its users do; runs in an environment of its own.

`python inspect_ai_client.py FOLDER ITEMS CONCURRENCY LOGS`; LOOPBACK_BASE_URL names the endpoint. Prints one JSON line.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from inspect_ai import Task, eval
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessageUser, ContentImage, ContentText, GenerateConfig
from inspect_ai.solver import generate


def main(folder: str, items: str, concurrency: str, logs: str) -> None:
    prompt = Path(folder, "prompt.txt").read_text(encoding="utf-8")
    samples = [
        Sample(
            id=index + 1,
            input=[
                ChatMessageUser(
                    content=[
                        ContentText(text=f"item=pair-{index} {prompt}"),
                        ContentImage(image=f"{folder}/{index}_before.png"),
                        ContentImage(image=f"{folder}/{index}_after.png"),
                    ]
                )
            ],
        )
        for index in range(int(items))
    ]
    started = time.perf_counter()
    (log,) = eval(
        Task(dataset=MemoryDataset(samples), solver=generate()),
        model="openai-api/loopback/loopback",
        display="none",
        log_dir=logs,
        max_connections=int(concurrency),
        max_samples=int(concurrency),
        **GenerateConfig(temperature=0.0, max_tokens=16384).model_dump(exclude_none=True),
    )
    seconds = time.perf_counter() - started
    answered = sum(1 for sample in log.samples or [] if sample.output.completion)
    print(json.dumps({"seconds": seconds, "answered": answered}))


if __name__ == "__main__":
    main(*sys.argv[1:])
