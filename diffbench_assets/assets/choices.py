"""Multiple-choice suites: questions, the blind check on them, and verdicts by the answer key.

Belongs here: wiring. Does not belong here: which statements stand in a question or how an answer is read
(`protocols/multiple_choice/`).
"""

from collections import Counter
from typing import Any

from dagster import (
    AllPartitionMapping,
    AssetCheckResult,
    AssetCheckSeverity,
    AssetCheckSpec,
    AssetDep,
    AssetExecutionContext,
    AssetKey,
    AssetsDefinition,
    AutomationCondition,
    BackfillPolicy,
    Failure,
    MaterializeResult,
    MetadataValue,
    asset,
)

from diffbench_assets import __version__, partitions
from diffbench_assets.assets.evaluated import (
    answered,
    by_model,
    counts,
    landed,
    on_evaluations,
    partition_key,
    place,
    responses_of,
    stale,
)
from diffbench_assets.assets.ranged import when_data_changes
from diffbench_assets.assets.shown import stopping_fails, table_of
from diffbench_assets.lake import Lake
from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.protocols.multiple_choice.false_statements import false_statements_sha256
from diffbench_assets.protocols.multiple_choice.pair_claims import CANDIDATES, pair_claims
from diffbench_assets.protocols.multiple_choice.parse import parser_sha256
from diffbench_assets.protocols.multiple_choice.prompt import LABELS
from diffbench_assets.protocols.multiple_choice.protocol import verdicts as verdicts_by_key
from diffbench_assets.protocols.multiple_choice.questions import build_questions
from diffbench_assets.protocols.multiple_choice.score import EXACT
from diffbench_assets.resources.choices import ChoiceSettings
from diffbench_assets.resources.lake import LakeResource
from diffbench_assets.resources.models import RegistryResource, SpendingResource
from diffbench_assets.schemas import BLIND_CHECK, QUESTIONS, VERDICTS
from diffbench_assets.suites import Suite
from diffbench_assets.versions import fingerprint

PREVIEW_QUESTIONS = 4


def choice_assets(suite: Suite) -> list[AssetsDefinition]:
    """`questions`, `blind_check` and verdicts of a multiple-choice suite."""
    return [_questions(suite), _blind_check(suite), _verdicts(suite)]


def _questions(suite: Suite) -> AssetsDefinition:
    others = [AssetDep(AssetKey(CANDIDATES.split("/")), partition_mapping=AllPartitionMapping())]

    @asset(
        name="questions",
        key_prefix=suite.name,
        group_name=suite.name,
        partitions_def=partitions.cells[suite.name],
        backfill_policy=BackfillPolicy.single_run(),
        deps=[AssetDep(AssetKey(suite.pairs.split("/"))), *([] if suite.owns_pairs else others)],
        automation_condition=when_data_changes(),
    )
    def questions(
        context: AssetExecutionContext,
        lake: LakeResource,
        choices: ChoiceSettings,
        registry: RegistryResource,
        spending: SpendingResource,
    ) -> None:
        """Four options a question: the true statement, two false ones and that nothing differs, in balanced places."""
        store = lake.open()
        built = [cell for cell in context.partition_keys if store.exists(suite.pairs, {"cell": cell})]
        claims = pair_claims(store, suite, built)
        reviewed = store.read_all(suite.table("reviews"))
        reviews = reviewed.to_pylist() if reviewed else []
        settings = choices.model_dump(include={"seed", "no_difference_share", "circular", "false_statements_by"})
        n = {cell: _wanted(store, suite, choices, cell, len(claims[cell])) for cell in built}
        wanted = {
            cell: fingerprint(
                version=__version__,
                settings=settings,
                n=n[cell],
                claims=claims[cell],
                prompt=false_statements_sha256() if choices.false_statements_by else "",
                reviews=reviews,
            )
            for cell in built
        }
        for cell in stale(context, store, suite.table("questions"), "cell", wanted):
            made, proposed = None, Counter[str]()
            if choices.false_statements_by:
                made, proposed = _proposed(store, suite, cell, claims[cell], choices, registry, spending)
            result = build_questions(
                suite.name,
                cell,
                claims[cell],
                n[cell],
                choices.seed,
                circular=choices.circular,
                false_statements=made,
                reviews=reviews,
            )
            path = store.write(suite.table(QUESTIONS), result.rows, {"cell": cell}, fingerprint=wanted[cell])
            flagged = sum(bool(row["suspected_truths"]) for row in result.rows)
            metadata = {
                "questions": len(result.rows),
                "wanted": n[cell],
                "flagged": flagged,
                "dropped": counts(result.dropped.elements()),
                "false_statements": counts(d["strategy"] for row in result.rows for d in row["distractors"]),
                "filtered": counts(proposed.elements()),
                "preview": _preview(result.rows),
            }
            landed(context, cell, path, metadata)

    return questions


def _wanted(store: Lake, suite: Suite, choices: ChoiceSettings, cell: str, pairs: int) -> int:
    others = {} if cell != NO_DIFF else store.cell_counts(suite.pairs)
    return choices.questions_wanted(suite, cell, pairs, sum(others.values()) - others.get(NO_DIFF, 0))


def _proposed(
    store: Lake,
    suite: Suite,
    cell: str,
    claims: list[Any],
    choices: ChoiceSettings,
    registry: RegistryResource,
    spending: SpendingResource,
) -> tuple[dict[str, Any], Counter[str]]:
    from diffbench_assets.protocols.multiple_choice.proposed import proposed_statements

    name = choices.false_statements_by
    with stopping_fails(), spending.journal(store, suite.name, f"false-statements-{name}") as journal:
        return proposed_statements(registry.endpoint(name), store, suite, cell, claims, journal, spending.budget())


def _preview(rows: list[dict[str, Any]]) -> MetadataValue:
    blocks = []
    for row in rows[:PREVIEW_QUESTIONS]:
        lines = [
            f"{'→' if label == row['answer'] else ' '} {label}. {row['options'][label]}".replace("```", "'''")
            for label in LABELS
        ]
        blocks.append("```text\n" + "\n".join(lines) + "\n```")
    return MetadataValue.md("\n\n".join(blocks) or "none")


def _blind_check(suite: Suite) -> AssetsDefinition:
    @asset(
        name="blind_check",
        key_prefix=suite.name,
        group_name=suite.name,
        deps=[AssetDep(AssetKey([suite.name, "questions"]), partition_mapping=AllPartitionMapping())],
        automation_condition=AutomationCondition.eager(),
        check_specs=[
            AssetCheckSpec(
                "text_alone_is_at_chance",
                asset=AssetKey([suite.name, "blind_check"]),
                description="No reader of the text alone finds the right option more often than chance allows.",
                blocking=True,
            )
        ],
    )
    def blind_check(lake: LakeResource, choices: ChoiceSettings) -> MaterializeResult:
        """How well the right option is found without the images: by simple rules and by a trained text model."""
        from diffbench_assets.protocols.multiple_choice import blind

        store = lake.open()
        table = store.read_all(suite.table("questions"))
        rows = [row for row in (table.to_pylist() if table else []) if row["rotation"] == 0]
        if not any(row["truth"] for row in rows):
            raise Failure(f"{suite.name} has no questions about a difference yet: build them first")
        report = blind.blind_check(rows, choices.seed)
        found = [{"suite": suite.name, **row} for row in report.rows]
        wanted = fingerprint(version=__version__, questions=store.versions(suite.table(QUESTIONS)))
        store.write(suite.table(BLIND_CHECK), found, fingerprint=wanted)
        worst = max(found, key=lambda row: row["accuracy"] - row["chance"])
        return MaterializeResult(
            metadata={"questions": len(rows), "table": table_of(found, BLIND_CHECK.names)},
            check_results=[
                AssetCheckResult(
                    passed=report.passed,
                    severity=AssetCheckSeverity.ERROR,
                    metadata={"worst": str(worst), "summary": report.summary},
                )
            ],
        )

    return blind_check


def _verdicts(suite: Suite) -> AssetsDefinition:
    @asset(
        name=EXACT,
        key_prefix=[suite.name, "verdicts"],
        **on_evaluations(suite),
        deps=[AssetDep(AssetKey([suite.name, "responses"])), AssetDep(AssetKey([suite.name, "questions"]))],
    )
    def exact(context: AssetExecutionContext, lake: LakeResource) -> None:
        """Verdicts by the answer key: the letter chosen, or invalid; never a guess."""
        store = lake.open()
        table = suite.table(VERDICTS).within(EXACT)
        for name, cells in by_model(context).items():
            for cell in answered(store, suite, name, cells):
                here = place(cell, name)
                rows, upstream = responses_of(store, suite, cell, name)
                key = store.fingerprint(suite.table("questions"), {"cell": cell})
                wanted = fingerprint(code=__version__, version=parser_sha256(), of=upstream, questions=key)
                if store.fingerprint(table, here) == wanted:
                    continue
                questions = store.read(suite.table("questions"), {"cell": cell}).to_pylist()
                found = list(verdicts_by_key(rows, questions))
                path = store.write(table, found, here, fingerprint=wanted)
                kinds = counts(row["unscored_reason"] or row["error_kind"] or row["verdict"] for row in found)
                landed(context, partition_key(cell, name), path, {"rows": len(found), "verdicts": kinds})

    return exact
