"""Words of visual change, as tables: what each word is about and which way it points.

Belongs here: vocabulary. Each entry is a kind of effect, a sign on that effect's scale, and the words for it.
Does not belong here: how words combine (`effects.py`), what an operator accepts (`operators.py`).

Kinds of effect and what +1 means: weight heavier, thick thicker, emphasis louder, size larger, height taller,
width wider, spread further apart, amount more of something, shade darker, vivid stronger colour, opaque more
solid, x further right, y further down, near (-1) closer to something, round rounder, presence there at all.
Without a sign (0): align, where (a place, not a move), text, other, change.
"""

from __future__ import annotations

import re
from typing import NamedTuple


class Word(NamedTuple):
    """One lexicon row. `state` words describe how something is and claim a change only in company."""

    kind: str
    sign: int
    pattern: re.Pattern[str]
    state: bool = False


def _word(kind: str, sign: int, alternatives: str, state: bool = False) -> Word:
    return Word(kind, sign, re.compile(rf"(?<![\w-])(?:{alternatives})(?![\w])"), state)


_MOVED = (
    r"(?:mov|shift|nudg|push|slid|displac|reposition|relocat|offset|translat|dropp|jump|lower|rais|drift|pull"
    r"|plac|position|locat|sit|align|go|gone|brought|tilt)\w*"
)
_GAPWORDS = r"(?:[\w%~]+[ ,]+){0,9}?"

WORDS: tuple[Word, ...] = (
    # strokes
    _word("weight", +1, r"bolder|boldest|emboldened|heavier|blacker|beefier|chunkier|weightier"),
    _word("weight", +1, r"bold(?:ed|face)?|semi-?bold|demi-?bold|extra-?bold|ultra-?bold|heavy", True),
    _word("weight", -1, r"un-?bold(?:ed)?|unemphasi[sz]ed"),
    _word("weight", -1, r"regular|normal weight|hairline|non-?bold", True),
    _word("thick", +1, r"thicker|thickened|fatter|sturdier|stouter"),
    _word("thick", +1, r"thick", True),
    _word("thick", -1, r"thinner|thinned|finer|slimmer|slimmed|slenderer"),
    _word("thick", -1, r"thin|fine|slim|delicate", True),
    _word(
        "emphasis",
        +1,
        r"stands? out more|more (?:prominent|emphasi[sz]ed|emphasis|noticeable|pronounced"
        r"|dominant|visible"
        r"|distinct|defined|legible|conspicuous|obvious|apparent)(?:ly)?|stronger|strengthened"
        r"|more strongly",
    ),
    _word("emphasis", +1, r"prominent|emphasi[sz]ed|strong|pronounced", True),
    _word("emphasis", -1, r"stands? out less|subtler|weaker|weakened|more subtle|subdued|de-?emphasi[sz]ed"),
    _word("emphasis", -1, r"subtle|weak|faint", True),
    # extent
    _word(
        "size",
        +1,
        r"larger|bigger|enlarged|magnified|upsized|scaled up|increased in size|grew|grown|oversized"
        r"|zoomed in",
    ),
    _word("size", +1, r"large|big|huge", True),
    _word(
        "size",
        -1,
        r"smaller|shrank|shrunk|shrinks?|shrunken|downsized|scaled down|tinier|reduced in size"
        r"|minimi[sz]ed|miniaturi[sz]ed",
    ),
    _word("size", -1, r"small|tiny", True),
    _word(
        "height",
        +1,
        r"taller|higher in height|more lines|(?:an? )?(?:additional|extra|new|second|third"
        r"|further) lines?|extra row",
    ),
    _word("height", -1, r"shorter|fewer lines|less tall|one line (?:less|fewer)"),
    _word("width", +1, r"wider|broader|longer|lengthened|widened|elongated"),
    _word("width", +1, r"wide|broad|long|widely", True),
    _word("width", -1, r"narrower|narrowed|less wide"),
    _word("width", -1, r"narrow", True),
    # place
    _word(
        "x",
        +1,
        rf"{_MOVED} {_GAPWORDS}(?:right|rightwards?)(?! (?:above|below|next|beside|after|before|under"
        r"|at|in)\b)|(?:further|farther|more) (?:to the )?right|rightwards?",
    ),
    _word("x", -1, rf"{_MOVED} {_GAPWORDS}(?:left|leftwards?)|(?:further|farther|more) (?:to the )?left|leftwards?"),
    _word(
        "y",
        +1,
        rf"{_MOVED} {_GAPWORDS}(?:down|downwards?|lower)(?! (?:right|left|part|corner|half|end|edge))"
        r"|downwards?|(?:further|farther) down|lower (?:down|than)"
        r"|lower(?= *(?:$|[,.;)]))|dropped by|dropped (?=\d)|fell|sank|sunk|sinks|lower position|below (?:its|the"
        r"|their) (?:previous"
        r"|original|earlier|old|prior|first) (?:position|place|location|spot)",
    ),
    _word(
        "y",
        -1,
        rf"{_MOVED} {_GAPWORDS}(?:up|upwards?|higher)(?! to (?:the )?\d)|upwards?|(?:further"
        r"|farther) up|higher (?:up|than)|(?:bit|slightly|little|somewhat|pixels?|px) higher"
        r"|higher(?= *(?:$|[,.;)]))|rose|risen|higher position|above (?:its|the|their) (?:previous"
        r"|original|earlier|old|prior|first) (?:position|place|location|spot)",
    ),
    # room between and around things
    _word(
        "spread",
        +1,
        r"(?:further|farther|wider|far) apart|apart|more (?:spread|spaced|airy|open|separated"
        r"|distant|generous|expanded)(?:[ -](?:out|apart))?"
        r"|looser|loosened|spaced[ -]out|spread[ -]out|spread|stretched(?: out)?|expanded|airier"
        r"|roomier|opened up|more breathing (?:room|space)|sparser"
        r"|double-spaced",
    ),
    _word("spread", +1, r"loose|airy|roomy|spacious|open|spaced", True),
    _word(
        "spread",
        -1,
        r"(?:closer|nearer) (?:together|to each other|to one another|to the next(?: one)?)"
        r"|tighter|tightened|more (?:tightly|tight|compact|condensed"
        r"|compressed|cramped|crowded|dense|densely|closely|clustered)|more compactly|condensed"
        r"|compressed|squeezed|squashed|cramped|crowded|packed|denser"
        r"|squished|collapsed|contracted|bunched|clustered",
    ),
    _word("spread", -1, r"tight|tightly|compact|dense|close together|snug", True),
    _word("near", -1, r"(?:closer|nearer) to|towards? (?:the|its|their)(?: \w+)? edges?"),
    _word("near", +1, r"(?:further|farther) (?:away )?from|(?:further|farther) away"),
    _word(
        "amount",
        +1,
        r"increas(?:e|es|ed|ing)|more|greater|extra|additional|rais(?:ed|es)|larger amount"
        r"|doubled|gained|higher|generous|widened|expanded",
    ),
    _word(
        "amount",
        -1,
        r"decreas(?:e|es|ed|ing)|reduc(?:e|es|ed|tion|ing)|less|lesser|fewer|diminished|halved"
        r"|lower(?:ed)?|lost|loses|minimal|cut(?: back)?|trimmed",
    ),
    # colour
    _word("shade", +1, r"darker|darkest|darkened|darkens?|deeper|deepened"),
    _word("shade", +1, r"dark|deep", True),
    _word(
        "shade",
        -1,
        r"lighter|lightest|lightened|paler|paled|brighter|brightened|whiter|softer (?:shade|tone"
        r"|colou?r|tint|hue)|pastel",
    ),
    _word("shade", -1, r"light|pale|bright", True),
    _word(
        "vivid",
        +1,
        r"more (?:vivid|saturated|vibrant|intense|colou?rful)(?:ly)?|richer|bolder colou?rs?"
        r"|sharper contrast|crisper|starker"
        r"|(?:higher|stronger|greater|increased|more) contrast|intensified|more contrasty",
    ),
    _word("vivid", +1, r"vivid|saturated|vibrant|intense|crisp", True),
    _word(
        "vivid",
        -1,
        r"duller|dulled|muted|desaturated|more muted|(?:lower|less|weaker|reduced) contrast|greyer"
        r"|grayer|toned down|less colou?rful",
    ),
    _word("opaque", +1, r"more (?:opaque|solid)|more solidly|fully (?:opaque|visible|solid)|opaquer|less faded"),
    _word("opaque", +1, r"opaque|solid", True),
    _word(
        "opaque",
        -1,
        r"faded|fades|fading|fainter|dimmed|dimmer|ghosted|ghostly|washed[ -]out"
        r"|more (?:transparent|translucent|see-through|faded)"
        r"|semi-?transparent|(?:barely|hardly|scarcely) visible|paled out|bleached|greyed[ -]out"
        r"|grayed[ -]out|more transparency",
    ),
    _word("opaque", -1, r"transparent|translucent|see-through|hazy|dim|pale and faint", True),
    # place, more
    _word(
        "align",
        0,
        r"cent(?:ered|red)|cent(?:er|re)-aligned|(?:left|right)-(?:aligned|justified)|(?:left"
        r"|right) aligned|flush (?:left|right)|off-cent(?:er|re)"
        r"|aligned (?:to|with|at|on) (?:the )?(?:far )?(?:left|right|cent(?:er|re)|start|end|middle)"
        r"|(?:to|into|toward|towards) the (?:middle|cent(?:er|re))"
        r"|(?:at|to|on) (?:the )?(?:opposite|both|either) (?:ends?|sides?|edges?)|(?:across"
        r"|over) the (?:full|whole|entire|available) (?:width|row|bar|line|space)"
        r"|evenly (?:spaced|distributed|spread)|distributed|grouped (?:together)?|justified",
    ),
    _word(
        "where",
        0,
        r"(?:in|at) the (?:middle|cent(?:er|re))|(?:to|at|on) the (?:far |very )?(?:left"
        r"|right)(?: (?:end|side|edge))?",
        True,
    ),
    # shape
    _word(
        "round",
        +1,
        r"rounder|rounded off|more (?:rounded|curved|circular|oval)|softer|curvier"
        r"|smoother corners?|(?:more )?pill[- ]shaped?|pill|capsule(?:[- ]shaped?)?"
        r"|circular|softened",
    ),
    _word("round", +1, r"rounded|curved|circle|oval|round|ellipse", True),
    _word(
        "round",
        -1,
        r"squarer|sharper|boxier|more (?:square|squared|angular|boxy|rectangular|pointed)"
        r"|squared(?:[ -]off)?|sharpened|pointier|right-angled",
    ),
    _word("round", -1, r"square|sharp|angular|boxy|rectangular|rectangle|pointed", True),
    _word(
        "presence",
        +1,
        r"added|appears (?:above|below|around|under|between|beside|next|at|on|in|over)|appeared"
        r"|appearing|introduced|newly|gained|now visible|inserted|shows up|got an?|there is now"
        r"|has an? (?:new |thin |thick |visible )*(?:drop )?(?:border|outline|shadow|underline)"
        r"|(?:is|was|are) (?:now )?(?:shown|present|visible)",
    ),
    _word(
        "presence",
        -1,
        r"removed|disappeared|disappears?|gone|missing|vanished|absent|deleted|no longer (?:there"
        r"|shown|visible|present|appears?|has|have)|dropped|eliminated|hidden|without",
    ),
    _word(
        "text",
        0,
        r"reads?|says|mis-?spell(?:ed|ing|s)?|mis-?spelt|typos?|garbled|spelling|wording|reworded"
        r"|scrambled|spelled",
    ),
    # claims that match no operator, but are claims
    _word(
        "other",
        0,
        r"underlined|italic(?:s|ized|ised)?|shadow|lowercase|upper-?case|capitali[sz]ed|ticked"
        r"|unticked|(?<!i )(?<!have )checked|unchecked|selected|rotated|flipped|mirrored|swapped"
        r"|blurr(?:y|ed|ier)|sharpness|wraps?|wrapped|re-?flowed|cropped|cut off|truncated|typeface"
        r"|font family|italicised",
    ),
    _word(
        "change",
        0,
        r"chang(?:e[sd]?|ing)|differ(?:s|ent|ently|ed|ing)?|modif(?:y|ied|ies|ication)|alter(?:ed"
        r"|s|ation)?|adjust(?:ed|s|ment)?|updated?|replac(?:ed|es|ement)"
        r"|became|becomes?|turn(?:s|ed)? (?:to|into|from)|turned|switch(?:ed|es)|instead of"
        r"|rather than|renamed|mov(?:ed|es)|shifted|resized|restyled|redesigned|went from"
        r"|goes from"
        r"|go from|converted|transformed|edited|rewritten|misaligned|off|variation|mismatch"
        r"|not (?:quite )?(?:the same|identical)|no longer (?:the same|identical)|off-cent(?:er"
        r"|re)"
        r"|varies|inconsistent|transition(?:ed|s)|(?:an?|slight|subtle|small|minor|tiny"
        r"|clear) (?:\w+ )?(?:difference|change|shift|variation) (?:in|to|of)",
    ),
    _word(
        "change",
        0,
        r"now|new(?:ly)?|no longer|not \w+ any ?more|got|gets|received|has become|have become"
        r"|after the change",
        True,
    ),
)
"""Scanned in this order; of overlapping hits the longest wins, then the earlier row."""

ANY_WORD = re.compile("|".join(word.pattern.pattern for word in WORDS if word.kind != "where"))
"""Any word that claims an effect; a place alone does not."""

ASPECTS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (name, re.compile(rf"(?<![\w-])(?:{alternatives})(?![\w])"))
    for name, alternatives in (
        (
            "tracking",
            r"(?:letter|character|glyph|inter-?letter|inter-?character|text)[ -]?spacing|tracking|kerning"
            r"|(?:space|spaces|spacing|distance|gap|gaps|room) between (?:\w+ ){0,3}(?:letters"
            r"|characters|glyphs|digits)"
            r"|between (?:the )?letters|(?:letters|characters|glyphs)\b[^.;:,]{0,25}?\b(?:gaps?|space"
            r"|spacing|room|distance)",
        ),
        (
            "leading",
            r"(?:line|row)[ -]?(?:spacing|height|gap)s?|leading|interline(?: spacing)?|vertical (?:rhythm"
            r"|density|text spacing)"
            r"|(?:space|spaces|spacing|distance|gap|gaps|room)s? between (?:\w+ ){0,4}(?:lines"
            r"|rows of text)|between lines|lines\b[^.;:,]{0,25}?\b(?:gaps?|space|spacing|room|distance)"
            r"|(?:lines|rows) of (?:the )?(?:text|paragraph|copy|title|heading)"
            r"|text lines|(?:the|its|their|all|two|three|four|second|following|\d) lines|lines",
        ),
        (
            "corner",
            r"corners?|corner[ -]radi(?:us|i)|border[ -]radi(?:us|i)|radi(?:us|i)|rounding|roundness"
            r"|curvature",
        ),
        (
            "weight",
            r"font[ -]weight|(?:stroke|text|letter)[ -](?:weight|thickness)|weight|boldness|strokes?"
            r"|stroke width",
        ),
        ("size", r"(?:font|text|type|letter)[ -]?size|size|scale|dimensions?|point size"),
        ("opacity", r"opacity|alpha"),
        ("transparency", r"transparency|translucency"),
        ("contrast", r"contrast|saturation|intensity|vividness|vibrancy|brightness"),
        ("gradient", r"gradient|blend|colou?r transition"),
        (
            "border",
            r"borders?|outlines?|outlined|frames?|edge line|rings?|dividers?|divider line|separator"
            r"|underline|hairline|rule|(?:horizontal|vertical|accent|top|bottom|side|left|right) (?:line"
            r"|bar|stripe)"
            r"|line(?=s? (?:above|below|under|around|beneath|on|at|between|along))|lines around|bar at its"
            r"|strip",
        ),
        ("shadow", r"(?:drop|box|text)?[ -]?shadow"),
        (
            "space",
            r"padding|paddings|margins?|gaps?|gutters?|spacing|(?:white|blank|empty|negative)[ -]?space"
            r"|space|room|distance|breathing room|separation|inset|air|spaces",
        ),
        ("alignment", r"alignment|justification|distribution|arrangement"),
        ("place", r"position|placement|offset|location"),
        ("letters", r"letters|characters|glyphs|lettering|digits|type|typography|font"),
        ("color", r"colou?rs?|shades?|tints?|tones?|hues?|background|fill|backdrop"),
        ("height", r"height"),
        ("width", r"width|length"),
    )
)
"""What a direction word can be about; of overlapping hits the longest wins, then the earlier row."""

_SHOT = r"(?:image|screenshot|picture|version|state|one|shot|page|view|frame|capture)"
BEFORE = (
    rf"(?:in |on )?(?:the )?(?:before|first|original|initial|earlier|previous|prior|old|left-hand|1st)[ -]{_SHOT}"
    r"|(?:image|screenshot|picture|version|img) ?(?:1|a|one|#1)|in the (?:first|original|initial)(?=\W*$|[,;.)])"
    r"|before|previously|originally|initially|formerly|earlier|used to be|used to"
)
AFTER = (
    r"(?:in |on )?(?:the )?(?:after|second|modified|changed|edited|later|latter|updated|new|2nd|right-hand"
    rf"|other)[ -]{_SHOT}"
    r"|(?:image|screenshot|picture|version|img) ?(?:2|b|two|#2)|in the (?:second|new|latter)(?=\W*$|[,;.)])"
    r"|after(?= *[:=,.]|$)|afterwards|now|currently"
)
"""Words that place a statement in the first or the second screenshot."""
