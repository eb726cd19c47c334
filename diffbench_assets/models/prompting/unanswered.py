"""Replies that answer nothing: a refusal in plain words, a placeholder, an error passed on as text.

Belongs here: which words answer no question, whatever it is. Does not belong here: what an answer says; a reply that
says anything beside, and one that merely finds nothing ("I can't see any difference"), is an answer.
"""

from __future__ import annotations

import re
import unicodedata
from typing import Final, Literal

LONGEST: Final = 600
"""Characters of a reply that answers nothing, at most."""

_CANNOT: Final = (
    r"(?:can(?:no|')?t|can not|could(?:n't| not)|won't|will not|(?:am|are|'m|'re|is) (?:currently )?"
    r"(?:unable|not able|not allowed|not permitted) to|do(?:n't| not) have the (?:ability|capability|means) to"
    r"|(?:must|have to) (?:decline|refuse)(?: to)?|decline to)"
)
_SORRY: Final = (
    r"(?:(?:i'm|i am|we're|we are)?(?: very| so| really)? ?(?:sorry|afraid)|(?:i |we |my )?apolog\w+|unfortunately)"
)
_WHY: Final = r"as an?(?:[ -](?:ai|large|language|text|visual|virtual|based|only|model|assistant|chatbot))++"
_IMAGES: Final = (
    r"(?:(?:any|the|these|those|your|two|both|of|attached|uploaded|provided|actual|visual|web|page) )*+"
    r"(?:images|screenshots|pictures|photos|attachments|visual content|image files)"
)
_HERE: Final = (
    r"(?:,? (?:directly|attached|provided|uploaded|included|here|either|at (?:this|the) (?:time|moment)|you \w+|to \w+"
    r"|(?:in|with|to|for) (?:this|your|our|the) (?:conversation|message|chat|request|prompt|me)))*+"
    r"(?:,? (?:so|as|because) .*)?"
)
"""What may follow images that were not seen; anything else may be a finding."""
_HELP: Final = r"(?:help(?! but)|assist|comply|fulfil+|complete|answer|respond|provide|do|continue|engage|participate)"
_LOOK: Final = (
    r"see|view|access|analy[sz]e|process|compare|open|interpret|display|examine|inspect|look at|have|find|receive|get"
)
_REFUSES: Final = re.compile(
    rf"(?:(?:{_SORRY}|{_WHY}|but|however|that|it (?:seems|appears|looks)(?: like)?"
    rf"|for (?:the )?(?:inconvenience|confusion))[,:]? ?)*+"
    rf"(?:(?:i|we) ?{_CANNOT}(?: (?:{_HELP}\b.*|(?:{_LOOK}) {_IMAGES}{_HERE})|$)"
    rf"|(?:i|we) (?:do(?:n't| not)|did(?:n't| not)) (?:{_LOOK}) {_IMAGES}{_HERE}"
    rf"|(?:no|there (?:are|were) no) {_IMAGES}{_HERE}(?: (?:are|were|was|have been))?{_HERE}"
    rf"|{_IMAGES} (?:(?:did|do|were|are|could|have)(?:n't| not) (?:be |been )?|failed to )"
    rf"(?:load|attach|provid|upload|includ|come through|display|open|view|process)(?:e?d)?"
    rf"(?: (?:properly|correctly))?{_HERE}"
    r"|this (?:request|content|question) (?:violates|goes against|is not (?:allowed|permitted)|can(?:no|')t be).*"
    r"|(?:抱歉|对不起|很抱歉|對不起)[,,。 ]*(?:但)?(?:我|作为)?.{0,20}(?:无法|不能|無法).{0,20}"
    r"(?:帮|回答|提供|处理|协助|查看|满足|完成|幫|協助).*"
    r"|(?:申し訳|すみません).*(?:お手伝い|お答え|対応|提供|お応え|処理)(?:する)?.{0,12}"
    r"(?:できません|できない|いたしかねます|かねます).*"
    r"|(?:죄송).*(?:도와|도움|제공|답변|처리|응답).{0,14}(?:없습니다|않습니다|어렵습니다).*"
    r"|(?:lo siento|lo lamento|disculpa).*\bno puedo (?:ayudar|asistir|cumplir|procesar|responder|proporcionar).*"
    r"|(?:je suis )?(?:désolé|desole).*\bne peux pas (?:vous )?(?:aider|répondre|traiter|fournir|faire|donner).*"
    r"|(?:es tut mir leid|tut mir leid|entschuldigung).*\bkann\b.*\bnicht\b.*(?:helfen|beantworten|nachkommen).*"
    r"|(?:desculpe|sinto muito|lamento).*\bnão posso (?:ajudar|responder|processar|fornecer|atender).*"
    r"|mi dispiace.*\bnon posso (?:aiutar|rispondere|elaborare|fornire|soddisfare).*"
    r"|(?:извините|к сожалению|простите).*\bне могу (?:помочь|ответить|выполнить|обработать|предоставить).*)"
)
_POLITE: Final = re.compile(
    rf"{_SORRY}(?: for .{{0,80}})?(?: about that)?|thank(?:s| you).*|(?:please|could you|can you|feel free|let me know"
    r"|if (?:you|there|the images)|is there|i(?:'d| would|'ll| will|'m| am) (?:be )?(?:happy|glad|able|here)"
    r"|how (?:can|may) i|i appreciate|my purpose|i am designed|i'm designed|i understand).*"
)
"""What stands around a refusal and says nothing either."""
_PLACEHOLDER: Final = re.compile(
    r"|n ?/ ?a|null|nil|undefined|nan|unknown|todo|tbd|lorem ipsum|no (?:answer|response|output|comment)|not applicable"
    r"|not available|i (?:do not|don't) know|empty(?: (?:response|answer|string))?|your answer here"
)
_ERROR: Final = re.compile(
    r"http \d{3}\b.*|(?:(?:http|api|server|internal|system|fatal|runtime|value)\W?)*(?:error|exception)s?\b"
    r" ?(?:code|message)?"
    r"(?:\W*\d{3}\b.*|\W*[:(-].*|\W*$|\W+(?:while|during|in|processing|generating|communicating|occurred)\b.*)"
    r"|an? (?:\w+ )?error (?:has )?occurred.*|[45]\d\d\W.*(?:error|request|gateway|unavailable|unauthorized|forbidden"
    r"|found|timeout|limit).*|(?:rate limit|quota|context length|maximum context).{0,40}(?:exceeded|reached).*"
    r"|too many requests.*|request (?:failed|timed out).*|(?:bad gateway|gateway time-?out|service unavailable"
    r"|internal server error|connection (?:error|refused|reset|timed out)|time(?:d )?-?out)\b.{0,80}|traceback \(most.*"
    r"|failed to (?:generate|process|get|fetch|load|connect|decode)\b.*"
)


def unanswered(text: str) -> Literal["refused", "empty"] | None:
    """What a reply that answers nothing is instead: `refused` when it says that it will not or cannot, `empty` when
    there is nothing in it, a placeholder, or an error's text. None for every answer."""
    if len(text) > LONGEST:
        return None if text.strip() else "empty"
    said = " ".join(unicodedata.normalize("NFKC", text).replace("’", "'").casefold().split())
    said = re.sub(r"```\w*|</?[a-z_]+>", " ", said)
    bare = said.strip(" .,:;!*_`\"'#<>(){}|/-…")
    if _PLACEHOLDER.fullmatch(bare) or not re.search(r"\w|\[\]", said) or _ERROR.fullmatch(bare):
        return "empty"
    sentences = [part.strip(" *_`\"'#>-") for part in re.split(r"[.!?。！？](?=\s|$)|[。！？]|[;\n]", said)]
    kinds = ["refusal" if _REFUSES.fullmatch(part) else _POLITE.fullmatch(part) for part in sentences if part]
    return "refused" if "refusal" in kinds and all(kinds) else None
