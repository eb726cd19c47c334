"""What a model thought aloud and what it answered, told apart by the marks that models put between the two.

Belongs here: the marks and what they mean. Does not belong here: what an answer says, or what becomes of a call whose
answer is all thought.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

_BAR: Final = "[|｜]"
_NAME: Final = (
    r"(?:[a-z]{2,12}[:_▁-](?:of[_-])?|ant)?(?:think(?:ing)?|thoughts?|reason(?:ing)?|reflect(?:ion)?|scratchpad|cot)"
    r"(?:[_-](?:process|content))?"
)
_SLASH: Final = r"[ \t]*(?:\\?(?P<{}>/)[ \t]*)?"
_MARK: Final = re.compile(
    # <think>, </think>, <seed:think>, ◁think▷, with spaces, attributes or HTML's escapes.
    rf"(?:[<＜◁]|&lt;){_SLASH.format('closes')}{_NAME}(?:[ \t][^<>＜＞◁▷&\n]{{0,200}})?[ \t]*(?P<empty>/)?"
    r"(?:[>＞▷]|&gt;)"
    rf"|\[{_SLASH.format('shuts')}think(?:ing)?[ \t]*\]"
    # <|START_THINKING|>, <|end_of_thought|>, <|inner_prefix|>
    rf"|<{_BAR}[ \t]*(?:(?:start|begin)_(?:of_)?{_NAME}|inner_prefix)[ \t]*{_BAR}>"
    rf"|(?P<ends><{_BAR}[ \t]*(?:end_(?:of_)?{_NAME}|inner_suffix)[ \t]*{_BAR}>|\[BEGIN FINAL RESPONSE\]|<channel\|>)"
    # <|channel|>analysis<|message|>, the same without its special tokens, <|channel>thought
    rf"|<{_BAR}channel{_BAR}?>[ \t]*(?P<channel>(?:(?:analysis|commentary|thought|final)(?![a-z]))?)"
    rf"(?:[^<\n]{{0,200}}(?:<{_BAR}constrain{_BAR}>[^<\n]{{0,80}})?<{_BAR}message{_BAR}>)?"
    r"|(?-i:assistant(?P<bare>analysis|commentary|final))",
    re.IGNORECASE,
)
_FRAME: Final = re.compile(
    rf"<{_BAR}start{_BAR}>[ \t]*(?:assistant)?|<{_BAR}(?:end|return|call|message){_BAR}>"
    rf"|<{_BAR}(?:start|begin|end)_(?:of_)?(?:response|solution){_BAR}>|\[END FINAL RESPONSE\]",
    re.IGNORECASE,
)
"""What frames an answer beside a thought."""


class Spoken(NamedTuple):
    """Both without white space around them; what stood apart is joined by line breaks."""

    thought: str
    answer: str


def spoken(text: str) -> Spoken:
    """`text` taken apart; without a mark all of it is answer, as it stands.

    What stands between an opening and a closing mark is thought, marks inside included; before a closing mark that
    nothing opened (chat templates open it in the prompt) and after an opening one that is never closed, too. Of a
    reply in channels, only the last `final` one is answer.
    """
    answer: list[str] = []
    thought: list[str] = []
    depth = start = 0
    for mark in _MARK.finditer(text):
        (thought if depth else answer).append(text[start : mark.start()])
        start = mark.end()
        channel = (mark["channel"] or mark["bare"] or "").lower()
        closes = mark["closes"] or mark["shuts"] or mark["ends"] or channel == "final" or mark["channel"] == ""
        if closes and not depth or channel == "final" or mark["bare"]:
            thought += answer
            answer.clear()
        if channel:
            depth = int(not closes)
        elif not mark["empty"]:
            depth = max(0, depth - 1) if closes else depth + 1
    if not start:
        return Spoken("", text)
    (thought if depth else answer).append(text[start:])
    return Spoken(_joined(thought), _joined(answer))


def _joined(parts: list[str]) -> str:
    # A line break, which no mark holds, so that two parts never make a mark.
    return "\n".join(filter(None, (_FRAME.sub("\n", part).strip() for part in parts)))
