"""What a statement does with its words: claims, denies, doubts, asks, or talks about the task.

Belongs here: speech acts. Does not belong here: what is claimed, of what.
"""

from __future__ import annotations

import re

_SAME = re.compile(
    r"\b(?:(?:is|are|was|were|be|been|look|looks|looked|appear|appears|appeared|seem|seems|remain|remains"
    r"|remained|stay|stays|stayed|has|have|with|everything|all|of|at|otherwise|both|in|rest|:|—|–|-)\s+)"
    r"(?:\w+ly |still |all |both |the |to be |exactly |pixel-for-pixel |an? )*(?:same|identical|unchanged|equal"
    r"|unaltered|consistent|alike|as before|match(?:es|ing)?)\b"
    r"|\b(?:remain(?:s|ed|ing)?|stay(?:s|ed)?|unchanged|identical|unaffected|no change)\b"
    r"|\bmatch(?:es)? (?:exactly|everywhere|perfectly)\b|^\W*(?:the )?same\b|: same\b|\bnone\b"
    r"|\bexactly as before\b|\bin both(?: (?:images?|screenshots?|pictures?|versions?|cases))?\W*$"
)
_NOT_SAME = re.compile(
    r"\b(?:not|n't|no longer|isn't|aren't)\s+(?:\w+ )?(?:the same|identical|equal|consistent"
    r"|unchanged)"
)
_DOUBT = re.compile(
    r"\b(?:can(?:no|')?t|cannot|can not|could ?n[o']t|could not|unable to|not able to|hard to|difficult to"
    r"|impossible to|won't|would not|will not|wouldn't|don't|do not)\s+(?:\w+ )?"
    r"(?:tell|say|confirm|be (?:sure|certain)|determine|decide|verify|make out|judge|point|count|list|report"
    r"|claim|know|rule|conclude|establish|swear)\b"
    r"|\b(?:not|n't|un)\s?(?:entirely |completely |totally |quite |really |at all |fully )*(?:sure|certain"
    r"|confident|convinced)\b|\bmay or may not\b|\bunclear\b|\binconclusive\b|\buncertain\b|\bor not\b"
    r"|\bequally be\b"
    r"|\bcompression\b|\bartifacts?\b|\bartefacts?\b|\bantialias\w*|\banti-alias\w*|\brendering (?:noise"
    r"|difference|variation)s?\b|\breport nothing\b|\bwith(?:out)? (?:any )?certainty\b|\bimagin(?:ing|ation)\b"
    r"|\bwhether or not\b|\bnothing (?:i can|definite|conclusive)\b|\bno way (?:to|of)\b"
)
_TASK = re.compile(
    r"\b(?:i (?:need|have|want|was asked|am asked|am going|will|'ll|shall|should|must|plan)\b|i'll\b|let me\b"
    r"|let's\b|my task|the task|task:|your task|these instructions|for example whether|for (?:example"
    r"|instance),? (?:that|whether|if)\b|my instructions|whether\b|(?<!as )if (?:the|it|any|there)\b"
    r"|looking for|check(?:ed|ing)? (?:for|if|whether)|would (?:be|have|show)|verdict|grader|judge\b|rubric"
    r"|hallucinat|ground truth|score\b|as instructed|to compare|compare (?:the|each|both)|describe (?:what|all))"
)
_RECALL = re.compile(
    r"\b(?:at first|initially i|i (?:first |initially |had )?(?:suspected|thought|assumed)"
    r"|suspected|first impression|at a glance|might|may|could|perhaps|possibly|maybe|seemed"
    r"|looked like|thought)\b"
)
_WITHDRAW = re.compile(
    r"\b(?:on (?:a )?(?:second|closer) (?:look|thought|inspection)|scratch that|take that back"
    r"|actually,? (?:no|they|it|the)|i was (?:wrong|mistaken)|correction\b|looking (?:again"
    r"|closer)|upon closer|after (?:checking|looking) again|but no\b)"
)
_PREAMBLE = re.compile(r"(?:differences?|changes?|findings|observations|summary|result|answer|analysis)\W*:?\W*$")


def same(masked: str) -> bool:
    """True when the statement says that something looks alike in both screenshots."""
    return bool(_SAME.search(masked)) and not _NOT_SAME.search(masked)


def doubts(masked: str) -> bool:
    """True when the statement says that the writer cannot tell, or does not report it."""
    return bool(_DOUBT.search(masked))


def task_talk(masked: str) -> bool:
    """True for words about the task, the grading, or what would be looked for."""
    return bool(_TASK.search(masked)) or bool(_PREAMBLE.search(masked) and len(masked) < 60)


def tentative(masked: str) -> bool:
    """True for a guess, which a following doubt or withdrawal takes back."""
    return bool(_RECALL.search(masked))


def withdraws(masked: str) -> bool:
    """True when the statement takes back what was said before it."""
    return bool(_WITHDRAW.search(masked))


_GLOBAL = re.compile(
    r"\b(?:both|two|screenshots?|images?|pictures?|pages?|versions?|they|everything|no|any|zero"
    r"|identical)\b.{0,60}\b(?:same|identical|differences?|changes?|changed|equal|match)\b|^\W*identical\W*$"
    r"|\bi see no\b"
)
_REST = re.compile(r"\b(?:else|other|others|rest|otherwise|remaining|apart|except|nearly|almost|mostly)\b")
_CUE = re.compile(
    r"\b(?:than|now|no longer|before|after|second|image 2|slight(?:ly)?|bit|somewhat|little|touch"
    r"|became|chang\w+|mov\w+|shift\w+|increas\w+|decreas\w+|reduc\w+|however|except|→)\b"
)


def denies_all(masked: str) -> bool:
    """True for the claim that the screenshots as a whole do not differ."""
    return (
        bool(_GLOBAL.search(masked))
        and not _REST.search(masked)
        and (same(masked) or bool(re.search(r"\b(?:no|not|n't|any|nothing|zero)\b|n't\b", masked)))
    )


def marks_change(masked: str) -> bool:
    """True when the statement sets one screenshot against the other in so many words, or weighs the change."""
    return bool(_CUE.search(masked))
