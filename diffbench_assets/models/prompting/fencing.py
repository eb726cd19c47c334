"""Text that nobody here wrote, inside a prompt: fenced, and without what some servers take for control tokens.

Belongs here: what keeps answers and pages from speaking to a model as instructions. Does not belong here: prompts.
"""

from __future__ import annotations

import hashlib
import re
from itertools import count

_FENCE_DIGITS = 24
# Chat-format markers that some servers turn into control tokens even inside a message.
_CONTROL = re.compile(
    r"<(?=[|｜]|/?s>|/?(?:start|end)_of_(?:turn|image|text)>|/?(?:seed:)?think(?:ing)?>|</?SYS>>|/?(?:bos|eos|pad|unk|mask)>"
    r"|/?(?:tools?|tool_(?:calls?|responses?|results?|outputs?)|function(?:_calls?)?|image|system|user|assistant)>)"
    r"|[\[【](?=/?(?:INST|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS|TOOL_CONTENT|ARGS|SYSTEM_PROMPT|THINK|IMG|gMASK)[\]】])"
    r"|◁(?=/?think▷)",
    re.IGNORECASE,
)


def answer_fence(answer: str) -> str:
    """A mark that does not occur in `answer`, the same every time; the answer's author cannot know it beforehand."""
    lowered = answer.lower()
    for attempt in count():
        mark = hashlib.sha256(f"{attempt}:{answer}".encode("utf-8", "surrogatepass")).hexdigest()[:_FENCE_DIGITS]
        if mark not in lowered:
            return mark
    raise AssertionError("unreachable")


def inert_text(text: str) -> str:
    """`text` with chat-format markers broken by a space, and lone surrogates replaced, so that it is only data."""
    return _CONTROL.sub(r"\g<0> ", text.encode("utf-8", "replace").decode("utf-8"))
