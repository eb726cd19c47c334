"""Every table of the lake: its pyarrow schema, with one sentence per column.

Belongs here: column names, types and what they mean. Does not belong here: reading, writing
(`resources/lake.py`) or computing any of it. `diffbench columns` and the README print these sentences.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import pyarrow as pa

SLUG = r"^[a-z0-9._-]+$"
"""Ids become partition keys and folder names; nothing outside this set is safe in both."""

STRING = pa.string()
STRING_LIST = pa.list_(STRING)
IMAGE = pa.struct([("bytes", pa.binary()), ("path", STRING)])
"""PNG bytes and a file name, the layout that Hugging Face `datasets` shows as an image."""

BOX = pa.struct([("x", pa.float64()), ("y", pa.float64()), ("width", pa.float64()), ("height", pa.float64())])
"""A rectangle in CSS pixels, origin at the top left of the viewport."""

ELEMENT = pa.struct([("tag", STRING), ("role", STRING), ("text", STRING)])

TARGET = pa.struct([("tag", STRING), ("role", STRING), ("text", STRING), ("location", STRING)])

CLAIM = pa.struct([("subject", STRING), ("change", STRING), ("before", STRING), ("after", STRING)])
"""A statement in the grammar of differences (`pairs/grammar.py`); values are empty unless the change has some."""

DIFFERENCE = pa.struct(
    [
        ("id", STRING),
        ("kind", STRING),
        ("dimensions", STRING_LIST),
        ("role", STRING),
        ("origin", STRING),
        ("claim", CLAIM),
        ("target", TARGET),
        ("property", STRING),
        ("before", STRING),
        ("after", STRING),
        ("direction", pa.int8()),
        ("magnitude", pa.float64()),
        ("magnitude_unit", STRING),
        ("description", STRING),
        ("box", BOX),
        ("axis", STRING),
        ("shift", pa.struct([("x", pa.int32()), ("y", pa.int32())])),
        ("record", STRING),
    ]
)
"""One true difference.

`kind` is the operator or category, `dimensions` what it is about (some of DiffCap-Bench's ten), `role` report or
ignore, `origin` who tells it: record, or the models that wrote and checked it. `claim` is what it makes true of the
image after; null where the grammar has no certain words. `location` names one of nine areas of the image, `box` is the
region that changed, `record` its own steps of the pair's record. `axis`: which way the content of a container is
distributed (right, left, down, up), where that is what changed. `shift`: pixels to the right and down by which
everything moved, where one rigid move explains 97 % of the changed pixels; else null.
"""


CRITERIA = pa.struct([("detect", STRING), ("ignore", STRING), ("tone", STRING)])


Rule = dict[str, str]
"""What the values of a column hold to, beside their type; it is kept with the column's sentence."""

KEY: Rule = {"key": "part"}
"""Part of what names a row: no other row has the same, in all partitions that share every key but cell and shard."""
REQUIRED: Rule = {"required": "always"}
"""Never null."""


def one_of(*values: str) -> Rule:
    """Null, or one of `values`."""
    return {"one_of": "|".join(values)}


Column = tuple[str, pa.DataType, str] | tuple[str, pa.DataType, str, Rule]
"""Name, type and sentence of a column, and what its values hold to."""

RICHNESSES = ("rich", "standard", "minimal")
RICHNESS = one_of(*RICHNESSES)
OUTCOME = one_of("completed", "truncated", "empty", "refused", "error")
ORDER = one_of("forward", "backward")


@dataclass(frozen=True)
class Table:
    """A table of the lake: the folder it lies in, the keys of its partitions (outermost folder first), its columns."""

    name: str
    keys: tuple[str, ...]
    schema: pa.Schema

    @property
    def names(self) -> list[str]:
        return list(self.schema.names)

    def of(self, suite: str) -> Table:
        """The same table of one suite, in the suite's folder."""
        return replace(self, name=f"{suite}/{self.name}")

    def adding(self, *columns: Column) -> Table:
        """The same table with more columns."""
        return replace(self, schema=pa.schema([*self.schema, *table("", (), *columns).schema]))

    def within(self, value: str) -> Table:
        """The part of the table whose first partition key is `value`, as a table of its own."""
        return replace(self, name=f"{self.name}/{self.keys[0]}={value}", keys=self.keys[1:])


def table(name: str, keys: tuple[str, ...], *columns: Column) -> Table:
    """A table from its rows: a column's name, type and sentence, and what its values hold to."""
    rows = [(column, kind, {"description": text} | (rule[0] if rule else {})) for column, kind, text, *rule in columns]
    return Table(name, keys, pa.schema([pa.field(column, kind, metadata=about) for column, kind, about in rows]))


PAGES = table(
    "pages",
    ("source",),
    ("page_id", STRING, "Stable id: source name and a hash of the page's content or address.", KEY | REQUIRED),
    ("source", STRING, "Name of the source in corpus.yaml.", REQUIRED),
    ("url", STRING, "Where the page came from: a file, a row of a Parquet file, or generator:<seed>/<index>."),
    ("html", STRING, "The self-contained page; null when it was dropped."),
    ("domain", STRING, "One of 15 site domains (e-commerce, news_media, …), or null when unknown."),
    ("style", STRING, "One of 4 visual styles, or null when unknown."),
    ("richness", STRING, "rich, standard or minimal, from the amount of visible content.", RICHNESS),
    ("language", STRING, "BCP 47 tag of the main language, or null when unknown."),
    ("structure_fingerprint", STRING, "Hash of the tag and class skeleton; text does not count."),
    ("missing_glyphs", STRING, "Characters of the page that no embedded font can draw, sorted; usually empty."),
    ("pixel_agreement", pa.float64(), "Share of pixels equal to the original's, drawn in the same fonts; 1 is exact."),
    ("drop_reason", STRING, "Why the page cannot be used; null when it can."),
)

DOMAINS = table(
    "domains",
    ("source",),
    ("host", STRING, "Host name: lower case, IDNA, without www and trailing dot.", KEY | REQUIRED),
    ("registered_domain", STRING, "Public suffix plus one label.", REQUIRED),
    ("rank", pa.int64(), "Best rank over all lists; null in lists without ranks."),
    ("ranks", pa.map_(STRING, pa.int64()), "Rank in every list that names the host."),
    ("shard", pa.int32(), "Shard of hosts: a stable hash of the registered domain.", REQUIRED),
)

SITE_URLS = table(
    "site_urls",
    ("source", "shard"),
    ("url_id", STRING, "Stable id: hash of the normalised URL.", KEY | REQUIRED),
    ("url", STRING, "Page URL, normalised.", REQUIRED),
    ("host", STRING, "Host of `domains` whose sitemap names it.", REQUIRED),
    ("sitemap", STRING, "Sitemap that names it, or home for the site's own address."),
    ("last_modified", STRING, "As the sitemap says; null when it does not."),
)

SITES = table(
    "sites",
    ("source", "shard"),
    ("host", STRING, "Host of `domains`.", KEY | REQUIRED),
    (
        "outcome",
        STRING,
        "read, no_sitemap, forbidden, unreachable, refused_address or the limit that stopped it.",
        REQUIRED,
    ),
    (
        "robots",
        STRING,
        "obeyed, none (allows all) or unreachable (forbids all), as RFC 9309 says.",
        one_of("obeyed", "none", "unreachable"),
    ),
    ("crawl_delay_s", pa.float64(), "Seconds that robots.txt asks for between requests; null when it asks for none."),
    ("sitemaps", pa.int64(), "Sitemap files read."),
    ("urls_seen", pa.int64(), "Page URLs named in them."),
    ("urls_kept", pa.int64(), "Page URLs kept after robots.txt, scope and caps."),
    ("left_out", pa.map_(STRING, pa.int64()), "Why the others were left out, with counts."),
    ("error", STRING, "What went wrong; null when nothing did."),
)

CRAWLED = table(
    "crawled",
    ("source", "shard"),
    ("url_id", STRING, "The URL asked for.", KEY | REQUIRED),
    ("url", STRING, "Its address.", REQUIRED),
    ("host", STRING, "Its host.", REQUIRED),
    ("final_url", STRING, "Address after redirects; null when nothing came."),
    ("status", pa.int32(), "HTTP status of the final document."),
    ("redirects", STRING_LIST, "Addresses on the way to the final one."),
    ("html", STRING, "The document as rendered; null when it failed."),
    ("snapshot", STRING, "The page with everything it shows inlined, no scripts; null unless snapshots are taken."),
    ("screenshot", IMAGE, "The viewport at 1280x800; null when it failed."),
    ("structure_fingerprint", STRING, "Hash of the rendered tag and class skeleton."),
    ("consent_banner", pa.bool_(), "Whether a consent banner was seen."),
    ("sticky_overlays", pa.int32(), "Elements that stay above the page when it scrolls."),
    ("requests", pa.int32(), "Requests the page made."),
    ("refused", pa.int32(), "Requests refused: private addresses, files, downloads, over a limit."),
    ("bytes", pa.int64(), "Bytes received."),
    ("load_ms", pa.int64(), "Milliseconds until the page had loaded."),
    ("settle_ms", pa.int64(), "Milliseconds until two captures in a row were equal."),
    ("failure", STRING, "Why there is no page (timeout, too_large, refused_address, crashed, …); null when there is."),
    ("browser", STRING, "Browser version."),
    ("fetched_at", STRING, "UTC time, ISO 8601."),
)

SELF_CONTAINED = table(
    "self_contained",
    ("source", "shard"),
    ("page_id", STRING, "The url_id it was made from.", KEY | REQUIRED),
    ("url", STRING, "Final address of the original."),
    ("host", STRING, "Its host."),
    ("way", STRING, "snapshot or regenerate.", REQUIRED | one_of("snapshot", "regenerate")),
    ("written_by", STRING, "Model that wrote it; null for a snapshot."),
    ("prompt_sha256", STRING, "Hash of the template that the model was asked with; null for a snapshot."),
    ("html", STRING, "The self-contained page; null when none could be made."),
    ("screenshot", IMAGE, "Its viewport, rendered with scripts off and without network."),
    ("similarity", pa.float64(), "CLIP image similarity to the original; null without weights."),
    ("pixel_agreement", pa.float64(), "Share of pixels equal to the original's screenshot."),
    ("structure_fingerprint", STRING, "Of the original."),
    ("duplicates", pa.int64(), "Pages left out because they are built like this one.", REQUIRED),
    ("domain", STRING, "One of 15 site domains, or null."),
    ("style", STRING, "One of 4 visual styles, or null."),
    ("label_probabilities", STRING, "JSON: probability of every domain and style, and who labelled."),
    ("richness", STRING, "rich, standard or minimal.", RICHNESS),
    ("language", STRING, "BCP 47 tag of the main language, or null."),
    ("findings", STRING_LIST, "What the filters found, without repeating personal data."),
    ("drop_reason", STRING, "Why the page is left out; null when it is kept."),
)

UNIQUE = table(
    "unique_pages",
    ("source",),
    ("id", STRING, "url_id of a page that stays.", KEY | REQUIRED),
    ("structure_fingerprint", STRING, "Its structure."),
    ("duplicates", pa.int64(), "Pages left out because they are built like it.", REQUIRED),
)

SAMPLED = table(
    "sampled",
    ("source",),
    ("id", STRING, "page_id of a page that stays under its label's cap.", KEY | REQUIRED),
    ("kind", STRING, "The domain label that was capped; null when unknown."),
)

REALNESS_SCORES = table(
    "realness_scores",
    ("source",),
    ("source", STRING, "Source of corpus.yaml.", REQUIRED),
    ("item_id", STRING, "What a journal calls the picture; tells neither page nor side."),
    ("page_id", STRING, "Page of `self_contained`.", KEY | REQUIRED),
    ("side", STRING, "original or copy.", KEY | REQUIRED | one_of("original", "copy")),
    ("richness", STRING, "Richness of the page: rich, standard or minimal.", REQUIRED | RICHNESS),
    ("judge", STRING, "Model of models.yaml that scored it.", KEY | REQUIRED),
    ("judge_prompt_sha256", STRING, "Hash of the question."),
    ("score", pa.int8(), "1 to 5; null when unscored."),
    ("outcome", STRING, "completed, truncated, empty, refused or error.", REQUIRED | OUTCOME),
    ("unscored_reason", STRING, "Why there is no score; null when there is one."),
    ("cost_usd", pa.float64(), "What the call cost; null without a price."),
)

REALNESS = table(
    "realness",
    ("source",),
    ("source", STRING, "Source of corpus.yaml.", REQUIRED),
    ("judge", STRING, "Judge.", KEY | REQUIRED),
    ("richness", STRING, "rich, standard, minimal, or all pages.", KEY | REQUIRED | one_of(*RICHNESSES, "all")),
    ("mean_original", pa.float64(), "Mean score (1 to 5) of the originals; null without a page."),
    ("mean_copy", pa.float64(), "Mean score of their copies."),
    ("value", pa.float64(), "Δ = mean of original − copy over pages; above 0 the originals look more real."),
    ("ci_low", pa.float64(), "Lower end of the 95 % interval, bootstrap over pages; null with fewer than two."),
    ("ci_high", pa.float64(), "Upper end of the 95 % interval."),
    ("alike", pa.bool_(), "Whether |Δ| is at most 0.3, as in the paper; null without a page."),
    ("n", pa.int64(), "Pages whose both sides the judge scored."),
    ("n_unscored", pa.int64(), "Pages left out since a side has no score."),
)

REALNESS_JUDGES = table(
    "realness_judges",
    ("source",),
    ("source", STRING, "Source of corpus.yaml.", REQUIRED),
    ("judge_a", STRING, "First judge, by name.", KEY | REQUIRED),
    ("judge_b", STRING, "Second judge.", KEY | REQUIRED),
    (
        "of",
        STRING,
        "score of single pictures, or difference original − copy of pages.",
        KEY | REQUIRED | one_of("score", "difference"),
    ),
    ("method", STRING, "pearson or spearman.", KEY | REQUIRED | one_of("pearson", "spearman")),
    ("value", pa.float64(), "Correlation; null where a judge gave one value only."),
    ("ci_low", pa.float64(), "Lower end of the 95 % interval, bootstrap over pages."),
    ("ci_high", pa.float64(), "Upper end of the 95 % interval."),
    ("n", pa.int64(), "Pictures or pages that both judges scored."),
)

FUNNEL = table(
    "funnel",
    ("source",),
    ("source", STRING, "Source of corpus.yaml.", REQUIRED),
    (
        "stage",
        STRING,
        "domains, sites, urls, crawled, unique, self_contained, filtered, labelled or sampled.",
        KEY | REQUIRED,
    ),
    ("order", pa.int32(), "Place of the stage."),
    ("reason", STRING, "kept, or why rows end at this stage.", KEY | REQUIRED),
    ("n", pa.int64(), "Rows.", REQUIRED),
)

PAGE_POOL = table(
    "page_pool",
    (),
    ("page_id", STRING, "A page of `pages` that takes part.", KEY | REQUIRED),
    ("source", STRING, "Its source.", REQUIRED),
    ("domain", STRING, "Its domain."),
    ("style", STRING, "Its style."),
    ("richness", STRING, "Its richness.", RICHNESS),
    ("language", STRING, "Its language."),
    (
        "structure_fingerprint",
        STRING,
        "Its structure; of pages with few elements others of the pool may have it too.",
    ),
    ("missing_glyphs", STRING, "Characters no embedded font can draw."),
    ("html_sha256", STRING, "Hash of the stored HTML.", REQUIRED),
)

CANDIDATES = table(
    "candidates",
    ("cell",),
    ("candidate_id", STRING, "Stable id: hash of page, cell and record.", KEY | REQUIRED),
    ("page_id", STRING, "The page that was mutated.", REQUIRED),
    ("operator", STRING, "One of the 13 CSS operators.", REQUIRED),
    ("tier", STRING, "easy, medium or hard.", REQUIRED | one_of("easy", "medium", "hard")),
    ("mechanism", STRING, "class_swap, inline or text_node.", one_of("class_swap", "inline", "text_node")),
    ("selector", STRING, "CSS selector of the target in the stored HTML."),
    ("element", ELEMENT, "Tag, role and the first visible text of the target."),
    ("property", STRING, "The CSS property that changed, or text."),
    ("before", STRING, "Value before: computed value, or the text."),
    ("after", STRING, "Value after: computed value, or the text."),
    ("direction", pa.int8(), "+1 when the value grew along its scale, -1 when it shrank."),
    ("magnitude", pa.float64(), "Size of the change in magnitude_unit."),
    ("magnitude_unit", STRING, "steps (of the operator's scale), em, or characters."),
    ("record", STRING, "JSON list of one step, which alone turns the page's stored HTML into the after page."),
    ("box_before", BOX, "Border box of the target before, CSS px."),
    ("box_after", BOX, "Border box of the target after, CSS px."),
    ("inside_changed_px", pa.int64(), "Pixels that differ inside the floor/ceil union of both boxes."),
    ("outside_changed_px", pa.int64(), "Pixels that differ outside it; 0 for every accepted candidate."),
    ("visible_px", pa.int64(), "Pixels that differ visibly (CIEDE2000); null unless the gate let it through."),
    ("largest_delta_e", pa.float64(), "Largest color difference (CIEDE2000) of a pixel; null likewise."),
    ("before_pixels", STRING, "BLAKE3 of the RGBA pixels before."),
    ("after_pixels", STRING, "BLAKE3 of the RGBA pixels after."),
    (
        "status",
        STRING,
        "accepted, the reason of rejection, or spare: not captured, since another one was accepted.",
        REQUIRED,
    ),
)

PAIRS = table(
    "pairs",
    ("cell",),
    ("pair_id", STRING, "Stable id of the pair.", KEY | REQUIRED),
    ("suite", STRING, "Suite the pair belongs to, for example webdiff.", REQUIRED),
    ("cell", STRING, "operator.tier, or no_diff.", REQUIRED),
    ("page_id", STRING, "Source page (or source image) of the pair; the cluster of every interval.", REQUIRED),
    ("image_before", IMAGE, "PNG before.", REQUIRED),
    ("image_after", IMAGE, "PNG after.", REQUIRED),
    ("differences", pa.list_(DIFFERENCE), "Every true difference; empty for no_diff."),
    ("possible_claims", pa.list_(CLAIM), "All that could be said of the image before; null where candidates tell."),
    ("references", STRING_LIST, "Captions of the difference that people wrote; empty where there are none."),
    ("context_id", STRING, "What the criteria belong to, for contextual pairs; else null."),
    ("indistinguishable", pa.list_(STRING), "True differences nobody can be asked to see; neither right nor wrong."),
    ("criteria", CRITERIA, "What to detect, what to ignore and the tone, for contextual pairs; else null."),
    ("description", STRING, "One plain sentence of the difference, for display only."),
    ("domain", STRING, "Domain of the source page."),
    ("style", STRING, "Visual style of the source page."),
    ("language", STRING, "Main language of the source page."),
    ("operator", STRING, "Operator or category; null for no_diff."),
    ("family", STRING, "Family of the operator; null for no_diff."),
    ("tier", STRING, "easy, medium, hard or no_diff."),
    ("record", STRING, "JSON list of the steps that make the images again from the page or image."),
    ("inside_change", pa.float64(), "Share of the pixels in the changed box that differ, 0…1."),
    ("clip_distance", pa.float64(), "1 - cosine of the CLIP embeddings of both images; null without weights."),
    ("before_pixels", STRING, "BLAKE3 of the RGBA pixels before.", REQUIRED),
    ("after_pixels", STRING, "BLAKE3 of the RGBA pixels after.", REQUIRED),
    ("render_fingerprint", STRING, "Browser version, architecture and flags that made the pixels."),
)


REVIEWS = table(
    "reviews",
    ("reviewer",),
    ("question_id", STRING, "The question reviewed (its rotation 0).", KEY | REQUIRED),
    (
        "option_sha256",
        STRING,
        "Hash of the option's text as the reviewer saw it; another text needs another review.",
        KEY | REQUIRED,
    ),
    ("text", STRING, "The option's text as the reviewer saw it."),
    ("reviewer", STRING, "Name the reviewer gave.", REQUIRED),
    ("decision", STRING, "accept, rewrite or discard.", REQUIRED | one_of("accept", "rewrite", "discard")),
    ("rewritten", STRING, "The reviewer's wording; null unless rewritten."),
    ("reviewed_at", STRING, "UTC time of the decision, ISO 8601."),
)

THOUGHT = (
    "thought",
    STRING,
    "What was thought aloud, no part of text: the endpoint's reasoning, then the reply as it came where it held "
    "thoughts; null without.",
)

RESPONSES = table(
    "responses",
    ("model", "cell"),
    ("item_id", STRING, "Stable id of one question put to a model: pair, protocol, order and repeat.", KEY | REQUIRED),
    ("pair_id", STRING, "The pair asked about.", REQUIRED),
    ("model", STRING, "Model id of models.yaml.", REQUIRED),
    ("cell", STRING, "Cell of the pair.", REQUIRED),
    ("protocol", STRING, "Name of the protocol that the model was asked in."),
    ("order", STRING, "forward (before first) or backward.", REQUIRED | ORDER),
    ("repeat", pa.int32(), "0-based number of the repetition.", REQUIRED),
    ("outcome", STRING, "completed, truncated, empty, refused or error.", REQUIRED | OUTCOME),
    ("text", STRING, "The answer as the model gave it, thoughts left out; null when there was none."),
    ("finish_reason", STRING, "As the endpoint reported it."),
    ("input_tokens", pa.int64(), "As the endpoint reported it."),
    ("output_tokens", pa.int64(), "As the endpoint reported it, with reasoning that it counts apart."),
    ("cost_usd", pa.float64(), "Tokens times the price in models.yaml; null without a price."),
    ("latency_s", pa.float64(), "Seconds of the last attempt."),
    ("attempts", pa.int32(), "Requests sent for this item."),
    ("error", STRING, "What went wrong, keys removed; null unless outcome is error."),
    ("request_sha256", STRING, "Hash of images, prompt, model and sampling parameters."),
    ("image_sha256", STRING, "Hashes of the image bytes that were sent, before then after, with a space between."),
    ("image_size", STRING, "Width and height of the images that were sent."),
    ("image_detail", STRING, "The detail setting that was sent; null when none was."),
    ("reasoning_tokens", pa.int64(), "As the endpoint reported it."),
    ("model_reported", STRING, "Name of the model as the endpoint reported it."),
    ("system_fingerprint", STRING, "As the endpoint reported it."),
    THOUGHT,
)

JUDGE_REPLIES = table(
    "judge_replies",
    ("judge", "model", "cell"),
    ("item_id", STRING, "The item judged.", KEY | REQUIRED),
    ("pair_id", STRING, "Its pair.", REQUIRED),
    ("model", STRING, "The model that answered.", REQUIRED),
    ("cell", STRING, "Cell of the pair.", REQUIRED),
    ("judge", STRING, "Judge id of judges.yaml.", REQUIRED),
    ("outcome", STRING, "completed, truncated, empty, refused or error.", REQUIRED | OUTCOME),
    ("text", STRING, "The judge's reply as it came, thoughts left out; parsing it again costs nothing."),
    ("finish_reason", STRING, "As the endpoint reported it."),
    ("input_tokens", pa.int64(), "As the endpoint reported it."),
    ("output_tokens", pa.int64(), "As the endpoint reported it, with reasoning that it counts apart."),
    ("cost_usd", pa.float64(), "Tokens times the price in judges.yaml; null without a price."),
    ("latency_s", pa.float64(), "Seconds of the last attempt."),
    ("attempts", pa.int32(), "Requests sent for this item."),
    ("error", STRING, "What went wrong, keys removed; null unless outcome is error."),
    ("request_sha256", STRING, "Hash of prompt, judge and sampling parameters."),
    THOUGHT,
)

VERDICTS = table(
    "verdicts",
    ("judge", "model", "cell"),
    ("item_id", STRING, "The item judged.", KEY | REQUIRED),
    ("pair_id", STRING, "Its pair.", REQUIRED),
    ("model", STRING, "The model that answered.", REQUIRED),
    ("cell", STRING, "Cell of the pair.", REQUIRED),
    ("judge", STRING, "Judge id of judges.yaml, or rules.", REQUIRED),
    ("judge_prompt_sha256", STRING, "Hash of the judge's templates, or of the rules' version."),
    ("verdict", STRING, "correct or wrong; null for no_diff pairs and for unscored items.", one_of("correct", "wrong")),
    ("matched", STRING, "The words of the answer that name the true difference."),
    ("hallucinations", pa.list_(STRING), "Claims of the answer that are not true."),
    ("reasoning", STRING, "The judge's own account."),
    ("unscored_reason", STRING, "Why there is no verdict (response error, unparseable judge, …); null when scored."),
)

METRICS = table(
    "metrics",
    (),
    ("suite", STRING, "Suite.", REQUIRED),
    ("model", STRING, "Model.", KEY | REQUIRED),
    (
        "judge",
        STRING,
        "Judge; metrics never mix judges. Null where no judge takes part (outcomes, tokens, cost, latency).",
        KEY,
    ),
    ("metric", STRING, "accuracy, recall, specificity, hallucinations_per_answer, coverage, …", KEY | REQUIRED),
    ("slice", STRING, "overall, tier, operator, family, domain, style, language, element, …", KEY | REQUIRED),
    ("slice_value", STRING, "The value of the slice; all for overall.", KEY | REQUIRED),
    ("value", pa.float64(), "The number; null where it is not defined."),
    ("ci_low", pa.float64(), "Lower end of the 95 % interval."),
    ("ci_high", pa.float64(), "Upper end of the 95 % interval."),
    ("n", pa.int64(), "Size of the denominator, fixed by the benchmark.", REQUIRED),
    ("n_unscored", pa.int64(), "Items of the denominator without a verdict."),
)

REPORT = table(
    "report",
    (),
    ("file", STRING, "A file of the report, inside the report's folder: the page, the leaderboard, then figures."),
)

TABLES: dict[str, Table] = {
    table.name: table
    for table in (
        PAGES, PAGE_POOL, DOMAINS, SITES, SITE_URLS, CRAWLED, SELF_CONTAINED, UNIQUE, SAMPLED, FUNNEL,
        REALNESS_SCORES, REALNESS, REALNESS_JUDGES, CANDIDATES, PAIRS, REVIEWS, RESPONSES,
        JUDGE_REPLIES, VERDICTS, METRICS,
    )
}  # fmt: skip


def columns(table: Table) -> list[tuple[str, str, str]]:
    """(name, type, sentence) of every column of `table`."""
    return [(f.name, str(f.type), (f.metadata or {})[b"description"].decode()) for f in table.schema]
