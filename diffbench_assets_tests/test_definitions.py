"""The asset graph: what it loads, what asks for what, and what a run leaves behind when it is cut short."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from dagster import (
    AssetKey,
    DagsterInstance,
    DataVersion,
    DataVersionsByPartition,
    Definitions,
    MultiPartitionKey,
    StaticPartitionsDefinition,
    asset,
    build_sensor_context,
    evaluate_automation_conditions,
    materialize,
    observable_source_asset,
)
from dagster._core.definitions.observe import observe

from diffbench_assets import partitions
from diffbench_assets.assets.ranged import when_data_changes
from diffbench_assets.automation import all_cells_of
from diffbench_assets.cli.running import contiguous
from diffbench_assets.definitions import defs
from diffbench_assets.graph import definitions_of
from diffbench_assets.pairs import NO_DIFF
from diffbench_assets.pairs.css.operators import CELLS
from diffbench_assets.protocols.protocol import Suite, by_name
from diffbench_assets.resources.models import RegistryResource
from diffbench_assets.suites import SUITES

ROOT = Path(__file__).parent.parent


def test_importing_the_definitions_loads_no_torch_and_starts_no_browser() -> None:
    script = textwrap.dedent(
        """
        import sys, subprocess
        class Watched(subprocess.Popen):
            def __init__(self, args, *more, **named):
                assert "chrom" not in str(args) and "playwright" not in str(args), args
                super().__init__(args, *more, **named)
        subprocess.Popen = Watched
        import diffbench_assets.definitions
        heavy = {"torch", "open_clip", "sklearn", "statsmodels", "matplotlib"} & set(sys.modules)
        assert not heavy, heavy
        """
    )
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]


def test_the_graph_resolves_with_every_job_sensor_and_schedule() -> None:
    Definitions.validate_loadable(defs)
    keys = {key.to_user_string() for key in defs.resolve_asset_graph().get_all_asset_keys()}
    assert {"pages", "page_pool", "webdiff/candidates", "webdiff/pairs", "webdiff/responses"} <= keys
    assert {"webdiff/verdicts/rules", "webdiff/metrics", "webdiff/report"} <= keys
    for suite in ("webdiff_mcq", "lowlevel_mcq"):
        made = ("questions", "blind_check", "responses", "verdicts/exact", "metrics", "report")
        assert {f"{suite}/{name}" for name in made} <= keys


def test_a_row_is_enough_for_any_protocol_to_ask_about_any_pairs() -> None:
    pair_sets = {suite.pair_set.name: suite.pair_set for suite in SUITES.values()}
    protocols = {suite.protocol.name: suite.protocol for suite in SUITES.values()}
    new = [Suite(f"{pairs}_{name}", protocols[name], pair_sets[pairs]) for name in protocols for pairs in pair_sets]
    graph = definitions_of(by_name(*SUITES.values(), *new).values()).resolve_asset_graph()
    assert {f"{suite.name}/{name}" for suite in new for name in ("responses", "metrics", "report")} <= {
        key.to_user_string() for key in graph.materializable_asset_keys
    }
    assert {key.to_user_string() for key in graph.external_asset_keys} == {"operator_parameters"}


def test_keys_of_cells_are_slugs_in_operator_major_order() -> None:
    assert len(CELLS) == 39
    assert list(CELLS[:4]) == ["font_weight.easy", "font_weight.medium", "font_weight.hard", "font_size.easy"]
    assert partitions.cells_of(SUITES["webdiff"]).get_partition_keys() == [*CELLS, NO_DIFF]


def test_there_are_scenes_whatever_sources_are_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def sources(listed: str) -> dict[str, str]:
        (tmp_path / "corpus.yaml").write_text(f"sources: [{listed}]")
        monkeypatch.setenv("DIFFBENCH_CORPUS", str(tmp_path / "corpus.yaml"))
        partitions.corpus.cache_clear()
        return {name: spec.kind for name, spec in partitions.corpus().items()}

    try:
        assert sources("{name: site, kind: html, path: x}") == {"site": "html", "scenes": "scenes"}
        assert partitions.scene_sources() == ["scenes"]
        assert sources("{name: mine, kind: scenes, count: 5}") == {"mine": "scenes"}
        assert sources("{name: scenes, kind: html, path: x}") == {"scenes": "html"} and partitions.scene_sources() == []
    finally:
        monkeypatch.undo()
        partitions.corpus.cache_clear()


def test_neighbouring_cells_share_one_run() -> None:
    order = ["a", "b", "c", "d", "e"]
    assert contiguous(["b", "a", "c"], order) == [("a", "c")]
    assert contiguous(["e", "a", "b"], order) == [("a", "b"), ("e", "e")]
    assert contiguous([], order) == []


def test_a_changed_operator_asks_for_exactly_its_own_cells_through_the_chain() -> None:
    version = dict.fromkeys(["a.easy", "b.easy", "c.easy"], "1")
    cells = StaticPartitionsDefinition(list(version))

    @observable_source_asset(partitions_def=cells)
    def parameters() -> DataVersionsByPartition:
        return DataVersionsByPartition({cell: DataVersion(value) for cell, value in version.items()})

    @asset(partitions_def=cells, deps=[parameters], automation_condition=when_data_changes())
    def made() -> None: ...

    @asset(partitions_def=cells, deps=[made], automation_condition=when_data_changes())
    def drawn() -> None: ...

    graph = Definitions(assets=[parameters, made, drawn])
    with DagsterInstance.ephemeral() as instance:
        observe([parameters], instance=instance)
        for key in version:
            materialize([parameters, made, drawn], selection=[made, drawn], partition_key=key, instance=instance)
        first = evaluate_automation_conditions(graph, instance)
        observe([parameters], instance=instance)
        same = evaluate_automation_conditions(graph, instance, cursor=first.cursor)
        assert same.total_requested == 0
        version["b.easy"] = "2"
        observe([parameters], instance=instance)
        changed = evaluate_automation_conditions(graph, instance, cursor=same.cursor)
    assert changed.get_requested_partitions(AssetKey("made")) == {"b.easy"}
    assert changed.get_requested_partitions(AssetKey("drawn")) == {"b.easy"}


def test_new_models_become_partitions_and_are_asked_for_as_one_range_each(tmp_path: Path) -> None:
    models = tmp_path / "models.yaml"
    models.write_text(
        "models:\n"
        "  - {id: always_no_diff, baseline: always_no_diff}\n"
        "  - {id: fresh, endpoint: 'http://localhost:9/v1'}\n"
        "  - {id: text_only, baseline: text_only}\n"
        "  - {id: old, endpoint: 'http://localhost:9/v1', retired: true}\n"
    )
    with DagsterInstance.ephemeral() as instance:
        for suite in SUITES:
            instance.add_dynamic_partitions(f"{suite}_models", ["always_no_diff"])
        context = build_sensor_context(
            instance=instance, resources={"registry": RegistryResource(models_file=str(models))}
        )
        result = defs.resolve_sensor_def("new_models")(context)
    assert [(request.job_name, request.tags) for request in result.run_requests] == [
        ("evaluate_webdiff", partitions.range_tags("font_weight.easy|fresh", "no_diff|fresh")),
        ("evaluate_webdiff_mcq", partitions.range_tags("font_weight.easy|fresh", "no_diff|fresh")),
        ("evaluate_webdiff_mcq", partitions.range_tags("font_weight.easy|text_only", "no_diff|text_only")),
        ("evaluate_lowlevel_mcq", partitions.range_tags("position|fresh", "no_diff|fresh")),
        ("evaluate_lowlevel_mcq", partitions.range_tags("position|text_only", "no_diff|text_only")),
    ]
    assert {
        request.partitions_def_name: list(request.partition_keys) for request in result.dynamic_partitions_requests
    } == {
        "webdiff_models": ["fresh"],
        "webdiff_mcq_models": ["fresh", "text_only"],
        "lowlevel_mcq_models": ["fresh", "text_only"],
    }


def test_every_sensor_schedule_job_and_asset_says_what_it_does() -> None:
    repository = defs.get_repository_def()
    jobs = [job for job in repository.get_all_jobs() if not job.name.startswith("__")]
    named = [*repository.sensor_defs, *repository.schedule_defs, *jobs]
    assert len(named) >= 7
    assert [thing.name for thing in named if not thing.description] == ["default_automation_condition_sensor"]
    graph = defs.resolve_asset_graph()
    assert not [key for key in graph.materializable_asset_keys if not graph.get(key).description]


def test_a_range_over_one_model_holds_all_its_cells_and_no_other_model() -> None:
    with DagsterInstance.ephemeral() as instance:
        instance.add_dynamic_partitions("webdiff_models", ["first", "second", "third"])
        tags = all_cells_of(SUITES["webdiff"], "second")
        seen: list[MultiPartitionKey] = []

        @asset(partitions_def=partitions.evaluations_of(SUITES["webdiff"]), backfill_policy=_single_run())
        def probe(context) -> None:  # type: ignore[no-untyped-def]
            seen.extend(context.partition_keys)

        assert materialize([probe], instance=instance, tags=tags).success
    assert {key.keys_by_dimension["model"] for key in seen} == {"second"}
    assert [key.keys_by_dimension["cell"] for key in seen] == [*CELLS, NO_DIFF]


def _single_run():  # type: ignore[no-untyped-def]
    from dagster import BackfillPolicy

    return BackfillPolicy.single_run()


@pytest.mark.parametrize("path", ["workspace.yaml", "dagster.yaml", "models.yaml", "judges.yaml", "corpus.yaml"])
def test_the_registries_that_ship_are_valid(path: str) -> None:
    import yaml

    assert yaml.safe_load((ROOT / path).read_text())
