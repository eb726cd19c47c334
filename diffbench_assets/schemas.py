"""Every table of the lake: its pyarrow schema, with one sentence per column.

Belongs here: column names, types and what they mean. Does not belong here: reading, writing
(`resources/lake.py`) or computing any of it. `diffbench columns` and the README print these sentences.
"""

from __future__ import annotations

import pyarrow as pa

STRING = pa.string()
STRING_LIST = pa.list_(STRING)
IMAGE = pa.struct([("bytes", pa.binary()), ("path", STRING)])
"""PNG bytes and a file name, the layout that Hugging Face `datasets` shows as an image."""

BOX = pa.struct([("x", pa.float64()), ("y", pa.float64()), ("width", pa.float64()), ("height", pa.float64())])
"""A rectangle in CSS pixels, origin at the top left of the viewport."""

ELEMENT = pa.struct([("tag", STRING), ("role", STRING), ("text", STRING)])

TARGET = pa.struct([("tag", STRING), ("role", STRING), ("text", STRING), ("location", STRING)])

DIFFERENCE = pa.struct(
    [
        ("kind", STRING),
        ("target", TARGET),
        ("property", STRING),
        ("before", STRING),
        ("after", STRING),
        ("direction", pa.int8()),
        ("magnitude", pa.float64()),
        ("magnitude_unit", STRING),
        ("description", STRING),
        ("box", BOX),
    ]
)
"""One true difference. `kind` is the operator for CSS pairs; `location` names one of nine areas of the viewport."""

OPTIONS = pa.struct([(label, STRING) for label in "ABCD"])

DISTRACTOR = pa.struct([("text", STRING), ("strategy", STRING), ("origin", STRING), ("claim", STRING)])
"""A false statement: how it departs from the truth, who made it (programmatic or a model id), and its claim as JSON."""

CRITERIA = pa.struct([("detect", STRING), ("ignore", STRING), ("tone", STRING)])


def _schema(*columns: tuple[str, pa.DataType, str]) -> pa.Schema:
    return pa.schema([pa.field(name, kind, metadata={"description": text}) for name, kind, text in columns])


PAGES = _schema(
    ("page_id", STRING, "Stable id: source name and a hash of the page's content or address."),
    ("source", STRING, "Name of the source in corpus.yaml."),
    ("url", STRING, "Where the page came from: a file, a row of a Parquet file, or generator:<seed>/<index>."),
    ("html", STRING, "The self-contained page; null when it was dropped."),
    ("domain", STRING, "One of 15 site domains (e-commerce, news_media, …), or null when unknown."),
    ("style", STRING, "One of 4 visual styles, or null when unknown."),
    ("richness", STRING, "rich, standard or minimal, from the amount of visible content."),
    ("language", STRING, "BCP 47 tag of the main language, or null when unknown."),
    ("structure_fingerprint", STRING, "Hash of the tag and class skeleton; text does not count."),
    ("missing_glyphs", STRING, "Characters of the page that no embedded font can draw, sorted; usually empty."),
    ("pixel_agreement", pa.float64(), "Share of pixels equal to the original's, drawn in the same fonts; 1 is exact."),
    ("drop_reason", STRING, "Why the page cannot be used; null when it can."),
)

DOMAINS = _schema(
    ("host", STRING, "Host name: lower case, IDNA, without www and trailing dot."),
    ("registered_domain", STRING, "Public suffix plus one label."),
    ("rank", pa.int64(), "Best rank over all lists; null in lists without ranks."),
    ("ranks", pa.map_(STRING, pa.int64()), "Rank in every list that names the host."),
    ("shard", pa.int32(), "Shard of hosts: a stable hash of the registered domain."),
)

SITE_URLS = _schema(
    ("url_id", STRING, "Stable id: hash of the normalised URL."),
    ("url", STRING, "Page URL, normalised."),
    ("host", STRING, "Host of `domains` whose sitemap names it."),
    ("sitemap", STRING, "Sitemap that names it, or home for the site's own address."),
    ("last_modified", STRING, "As the sitemap says; null when it does not."),
)

SITES = _schema(
    ("host", STRING, "Host of `domains`."),
    ("outcome", STRING, "read, no_sitemap, forbidden, unreachable, refused_address or the limit that stopped it."),
    ("robots", STRING, "obeyed, none (allows all) or unreachable (forbids all), as RFC 9309 says."),
    ("crawl_delay_s", pa.float64(), "Seconds that robots.txt asks for between requests; null when it asks for none."),
    ("sitemaps", pa.int64(), "Sitemap files read."),
    ("urls_seen", pa.int64(), "Page URLs named in them."),
    ("urls_kept", pa.int64(), "Page URLs kept after robots.txt, scope and caps."),
    ("left_out", pa.map_(STRING, pa.int64()), "Why the others were left out, with counts."),
    ("error", STRING, "What went wrong; null when nothing did."),
)

CRAWLED = _schema(
    ("url_id", STRING, "The URL asked for."),
    ("url", STRING, "Its address."),
    ("host", STRING, "Its host."),
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

SELF_CONTAINED = _schema(
    ("page_id", STRING, "The url_id it was made from."),
    ("url", STRING, "Final address of the original."),
    ("host", STRING, "Its host."),
    ("way", STRING, "snapshot or regenerate."),
    ("written_by", STRING, "Model that wrote it; null for a snapshot."),
    ("prompt_sha256", STRING, "Hash of the template that the model was asked with; null for a snapshot."),
    ("html", STRING, "The self-contained page; null when none could be made."),
    ("screenshot", IMAGE, "Its viewport, rendered with scripts off and without network."),
    ("similarity", pa.float64(), "CLIP image similarity to the original; null without weights."),
    ("pixel_agreement", pa.float64(), "Share of pixels equal to the original's screenshot."),
    ("structure_fingerprint", STRING, "Of the original."),
    ("duplicates", pa.int64(), "Pages left out because they are built like this one."),
    ("domain", STRING, "One of 15 site domains, or null."),
    ("style", STRING, "One of 4 visual styles, or null."),
    ("label_probabilities", STRING, "JSON: probability of every domain and style, and who labelled."),
    ("richness", STRING, "rich, standard or minimal."),
    ("language", STRING, "BCP 47 tag of the main language, or null."),
    ("findings", STRING_LIST, "What the filters found, without repeating personal data."),
    ("drop_reason", STRING, "Why the page is left out; null when it is kept."),
)

UNIQUE = _schema(
    ("id", STRING, "url_id of a page that stays."),
    ("structure_fingerprint", STRING, "Its structure."),
    ("duplicates", pa.int64(), "Pages left out because they are built like it."),
)

SAMPLED = _schema(
    ("id", STRING, "page_id of a page that stays under its label's cap."),
    ("kind", STRING, "The domain label that was capped; null when unknown."),
)

REALNESS_SCORES = _schema(
    ("source", STRING, "Source of corpus.yaml."),
    ("item_id", STRING, "What a journal calls the picture; tells neither page nor side."),
    ("page_id", STRING, "Page of `self_contained`."),
    ("side", STRING, "original or copy."),
    ("richness", STRING, "Richness of the page: rich, standard or minimal."),
    ("judge", STRING, "Model of models.yaml that scored it."),
    ("judge_prompt_sha256", STRING, "Hash of the question."),
    ("score", pa.int8(), "1 to 5; null when unscored."),
    ("outcome", STRING, "completed, truncated, empty, refused or error."),
    ("unscored_reason", STRING, "Why there is no score; null when there is one."),
    ("cost_usd", pa.float64(), "What the call cost; null without a price."),
)

FUNNEL = _schema(
    ("source", STRING, "Source of corpus.yaml."),
    ("stage", STRING, "domains, sites, urls, crawled, unique, self_contained, filtered, labelled or sampled."),
    ("order", pa.int32(), "Place of the stage."),
    ("reason", STRING, "kept, or why rows end at this stage."),
    ("n", pa.int64(), "Rows."),
)

PAGE_POOL = _schema(
    ("page_id", STRING, "A page of `pages` that takes part."),
    ("source", STRING, "Its source."),
    ("domain", STRING, "Its domain."),
    ("style", STRING, "Its style."),
    ("richness", STRING, "Its richness."),
    ("language", STRING, "Its language."),
    ("structure_fingerprint", STRING, "Its structure; no other page of the pool has it."),
    ("missing_glyphs", STRING, "Characters no embedded font can draw."),
    ("html_sha256", STRING, "Hash of the stored HTML."),
)

CANDIDATES = _schema(
    ("candidate_id", STRING, "Stable id: hash of page, cell and record."),
    ("page_id", STRING, "The page that was mutated."),
    ("operator", STRING, "One of the 13 CSS operators."),
    ("tier", STRING, "easy, medium or hard."),
    ("mechanism", STRING, "class_swap, inline or text_node."),
    ("selector", STRING, "CSS selector of the target in the stored HTML."),
    ("element", ELEMENT, "Tag, role and the first visible text of the target."),
    ("property", STRING, "The CSS property that changed, or text."),
    ("before", STRING, "Value before: computed value, or the text."),
    ("after", STRING, "Value after: computed value, or the text."),
    ("direction", pa.int8(), "+1 when the value grew along its scale, -1 when it shrank."),
    ("magnitude", pa.float64(), "Size of the change in magnitude_unit."),
    ("magnitude_unit", STRING, "steps (of the operator's scale), em, or characters."),
    ("record", STRING, "JSON: alone it turns the page's stored HTML into the after page."),
    ("box_before", BOX, "Border box of the target before, CSS px."),
    ("box_after", BOX, "Border box of the target after, CSS px."),
    ("inside_changed_px", pa.int64(), "Pixels that differ inside the floor/ceil union of both boxes."),
    ("outside_changed_px", pa.int64(), "Pixels that differ outside it; 0 for every accepted candidate."),
    ("before_pixels", STRING, "BLAKE3 of the RGBA pixels before."),
    ("after_pixels", STRING, "BLAKE3 of the RGBA pixels after."),
    ("status", STRING, "accepted, the reason of rejection, or spare: not captured, since another one was accepted."),
)

PAIRS = _schema(
    ("pair_id", STRING, "Stable id of the pair."),
    ("suite", STRING, "Suite the pair belongs to, for example webdiff."),
    ("cell", STRING, "operator.tier, or no_diff."),
    ("page_id", STRING, "Source page (or source image) of the pair; the cluster of every interval."),
    ("image_before", IMAGE, "PNG before."),
    ("image_after", IMAGE, "PNG after."),
    ("differences", pa.list_(DIFFERENCE), "Every true difference; empty for no_diff."),
    ("indistinguishable", pa.list_(STRING), "True differences nobody can be asked to see; neither right nor wrong."),
    ("criteria", CRITERIA, "What to detect, what to ignore and the tone, for contextual pairs; else null."),
    ("description", STRING, "One plain sentence of the difference, for display only."),
    ("domain", STRING, "Domain of the source page."),
    ("style", STRING, "Visual style of the source page."),
    ("language", STRING, "Main language of the source page."),
    ("operator", STRING, "Operator or category; null for no_diff."),
    ("family", STRING, "Family of the operator; null for no_diff."),
    ("tier", STRING, "easy, medium, hard or no_diff."),
    ("record", STRING, "JSON of the mutation, enough to replay it on the page's HTML; null for no_diff."),
    ("inside_change", pa.float64(), "Share of the pixels in the changed box that differ, 0…1."),
    ("clip_distance", pa.float64(), "1 - cosine of the CLIP embeddings of both images; null without weights."),
    ("before_pixels", STRING, "BLAKE3 of the RGBA pixels before."),
    ("after_pixels", STRING, "BLAKE3 of the RGBA pixels after."),
    ("render_fingerprint", STRING, "Browser version, architecture and flags that made the pixels."),
)

QUESTIONS = _schema(
    ("question_id", STRING, "Stable id; also the item_id of responses and verdicts."),
    ("suite", STRING, "Suite the question belongs to, for example lowlevel_mcq."),
    ("cell", STRING, "Cell of the pair."),
    ("pair_id", STRING, "The pair asked about; the cluster of every interval."),
    ("category", STRING, "One of the ten categories, the operator of a CSS-mutated pair, or no_diff."),
    ("group", STRING, "semantic, low_level or ocr; the operator's family for CSS-mutated pairs; no_diff."),
    ("order", STRING, "forward (the pair's before image is A) or backward."),
    ("rotation", pa.int8(), "0, or 1 to 3 for the rotated copies of a circular evaluation."),
    ("origin_id", STRING, "question_id of rotation 0; the same for all rotations of one question."),
    ("options", OPTIONS, "The four statements by their letter."),
    ("answer", STRING, "Letter of the right option."),
    ("no_difference_label", STRING, "Letter of the option that says nothing differs."),
    ("truth", STRING, "JSON of the true claim, as image A and B are shown; null when nothing differs."),
    ("distractors", pa.list_(DISTRACTOR), "The false statements in the order of their letters."),
    ("suspected_truths", pa.list_(STRING), "False statements that a person should look at: they may be true."),
    ("review", STRING, "accepted or rewritten when a person reviewed the question; null otherwise."),
)

BLIND_CHECK = _schema(
    ("suite", STRING, "Suite."),
    ("slice", STRING, "overall, group or cell."),
    ("slice_value", STRING, "The value of the slice; all for overall."),
    ("reader", STRING, "text_model (trained, cross-validated by pair) or a simple rule such as longest."),
    ("accuracy", pa.float64(), "Share of questions whose right option the reader of the text alone found."),
    ("ci_low", pa.float64(), "Lower end of the 95 % interval."),
    ("ci_high", pa.float64(), "Upper end of the 95 % interval."),
    ("chance", pa.float64(), "Accuracy of the best reader when text tells nothing."),
    ("p_value", pa.float64(), "Chance of an accuracy this high by luck, corrected for all rows of the check."),
    ("n", pa.int64(), "Questions."),
    ("passed", pa.bool_(), "Whether the accuracy is not above chance."),
)

REVIEWS = _schema(
    ("question_id", STRING, "The question reviewed (its rotation 0)."),
    ("option_sha256", STRING, "Hash of the option's text as the reviewer saw it; another text needs another review."),
    ("text", STRING, "The option's text as the reviewer saw it."),
    ("reviewer", STRING, "Name the reviewer gave."),
    ("decision", STRING, "accept, rewrite or discard."),
    ("rewritten", STRING, "The reviewer's wording; null unless rewritten."),
    ("reviewed_at", STRING, "UTC time of the decision, ISO 8601."),
)

RESPONSES = _schema(
    ("item_id", STRING, "Stable id of one question put to a model: pair, protocol, order and repeat."),
    ("pair_id", STRING, "The pair asked about."),
    ("model", STRING, "Model id of models.yaml."),
    ("cell", STRING, "Cell of the pair."),
    ("protocol", STRING, "open_ended, multiple_choice, difference_list or contextual."),
    ("order", STRING, "forward (before first) or backward."),
    ("repeat", pa.int32(), "0-based number of the repetition."),
    ("outcome", STRING, "completed, truncated, empty, refused or error."),
    ("text", STRING, "The answer as the model gave it; null when there was none."),
    ("finish_reason", STRING, "As the endpoint reported it."),
    ("input_tokens", pa.int64(), "As the endpoint reported it."),
    ("output_tokens", pa.int64(), "As the endpoint reported it."),
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
)

JUDGE_REPLIES = _schema(
    ("item_id", STRING, "The item judged."),
    ("pair_id", STRING, "Its pair."),
    ("model", STRING, "The model that answered."),
    ("cell", STRING, "Cell of the pair."),
    ("judge", STRING, "Judge id of judges.yaml."),
    ("outcome", STRING, "completed, truncated, empty, refused or error."),
    ("text", STRING, "The judge's reply as it came; parsing it again costs nothing."),
    ("finish_reason", STRING, "As the endpoint reported it."),
    ("input_tokens", pa.int64(), "As the endpoint reported it."),
    ("output_tokens", pa.int64(), "As the endpoint reported it."),
    ("cost_usd", pa.float64(), "Tokens times the price in judges.yaml; null without a price."),
    ("latency_s", pa.float64(), "Seconds of the last attempt."),
    ("attempts", pa.int32(), "Requests sent for this item."),
    ("error", STRING, "What went wrong, keys removed; null unless outcome is error."),
    ("request_sha256", STRING, "Hash of prompt, judge and sampling parameters."),
)

VERDICTS = _schema(
    ("item_id", STRING, "The item judged."),
    ("pair_id", STRING, "Its pair."),
    ("model", STRING, "The model that answered."),
    ("cell", STRING, "Cell of the pair."),
    ("judge", STRING, "Judge id of judges.yaml, or rules."),
    ("judge_prompt_sha256", STRING, "Hash of the judge's templates, or of the rules' version."),
    ("verdict", STRING, "correct or wrong; null for no_diff pairs and for unscored items."),
    ("matched", STRING, "The words of the answer that name the true difference."),
    ("hallucinations", pa.list_(STRING), "Claims of the answer that are not true."),
    ("reasoning", STRING, "The judge's own account."),
    ("unscored_reason", STRING, "Why there is no verdict (response error, unparseable judge, …); null when scored."),
    ("choice", STRING, "Multiple choice: the letter chosen, or invalid; else null."),
    ("error_kind", STRING, "Multiple choice: missed_change, competing_change, false_alarm or invalid; else null."),
)

METRICS = _schema(
    ("suite", STRING, "Suite."),
    ("model", STRING, "Model."),
    (
        "judge",
        STRING,
        "Judge; metrics never mix judges. Null where no judge takes part (outcomes, tokens, cost, latency).",
    ),
    ("metric", STRING, "accuracy, recall, specificity, hallucinations_per_answer, coverage, …"),
    ("slice", STRING, "overall, tier, operator, family, domain, style, language, element, …"),
    ("slice_value", STRING, "The value of the slice; all for overall."),
    ("value", pa.float64(), "The number; null where it is not defined."),
    ("ci_low", pa.float64(), "Lower end of the 95 % interval."),
    ("ci_high", pa.float64(), "Upper end of the 95 % interval."),
    ("n", pa.int64(), "Size of the denominator, fixed by the benchmark."),
    ("n_unscored", pa.int64(), "Items of the denominator without a verdict."),
)

REPORT = _schema(
    ("file", STRING, "A file of the report, inside the report's folder: the page, the leaderboard, then figures."),
)

TABLES: dict[str, pa.Schema] = {
    "pages": PAGES,
    "page_pool": PAGE_POOL,
    "domains": DOMAINS,
    "sites": SITES,
    "site_urls": SITE_URLS,
    "crawled": CRAWLED,
    "self_contained": SELF_CONTAINED,
    "unique_pages": UNIQUE,
    "sampled": SAMPLED,
    "funnel": FUNNEL,
    "realness_scores": REALNESS_SCORES,
    "candidates": CANDIDATES,
    "pairs": PAIRS,
    "questions": QUESTIONS,
    "blind_check": BLIND_CHECK,
    "reviews": REVIEWS,
    "responses": RESPONSES,
    "judge_replies": JUDGE_REPLIES,
    "verdicts": VERDICTS,
    "metrics": METRICS,
}


def by_source(schema: pa.Schema) -> pa.Schema:
    """`schema` with the source in front."""
    return pa.schema([FUNNEL.field("source"), *schema])


def columns(table: str) -> list[tuple[str, str, str]]:
    """(name, type, sentence) of every column of `table`."""
    return [(f.name, str(f.type), (f.metadata or {})[b"description"].decode()) for f in TABLES[table]]
