"""Shared frames decide as frames of one candidate would, whatever leaks or interferes."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from diffbench_assets.browser import frames
from diffbench_assets.browser.frames import GAP_PX, Captured, Framed, decide_all, pack
from diffbench_assets.browser.gate import Decision, Pixels, Region, decide, pixels_hash
from diffbench_assets.browser.visibility import seen
from diffbench_assets.pairs.css.candidates import Row
from diffbench_assets_tests.live import Live
from diffbench_assets_tests.small_pages import page

HEIGHT, WIDTH = 120, 160
JUST_VISIBLE = 2.0
NOISE = np.random.default_rng(0).integers(0, 2**32, (HEIGHT, WIDTH), np.uint32)


@dataclass
class Effect:
    """What a candidate does: pixels it changes in its region, and pixels elsewhere, which layout may know of."""

    where: Region
    inside: list[tuple[int, int]] = field(default_factory=list)
    leaks: list[tuple[int, int]] = field(default_factory=list)
    known: bool = False

    @property
    def framed(self) -> Framed:
        if not self.known or not self.leaks:
            return Framed(self.where, self.where)
        xs, ys = zip(*self.leaks, strict=True)
        return Framed(self.where, (min(xs), min(ys), max(xs) + 1, max(ys) + 1))


class Screen:
    """A page on which effects add up, as paint does, and some sets of candidates cannot be applied together."""

    def __init__(self, effects: list[Effect], clashes: set[frozenset[int]] = frozenset()) -> None:
        self.effects, self.clashes = effects, clashes
        self.before = NOISE.copy()
        self.captures: list[list[int]] = []

    async def capture(self, indices: list[int]) -> Pixels | None:
        self.captures.append(indices)
        if any(clash <= set(indices) for clash in self.clashes):
            return None
        after = self.before.copy()
        for index in indices:
            for x, y in self.effects[index].inside + self.effects[index].leaks:
                after[y, x] += np.uint32(index + 1)
        return after

    async def _shared(self) -> list[Captured]:
        return await decide_all(self.before, [effect.framed for effect in self.effects], self.capture, JUST_VISIBLE)

    async def _one_by_one(self) -> list[Captured]:
        results = []
        for index, effect in enumerate(self.effects):
            after = await self.capture([index])
            if after is None:
                results.append(Captured(Decision("unreplayable", 0, 0), ""))
            else:
                decision = decide(self.before, after, effect.where)
                shows = seen(self.before, after, effect.where, JUST_VISIBLE) if decision.status == "accepted" else None
                results.append(Captured(decision, pixels_hash(after), shows))
        return results

    def decide(self) -> list[Captured]:
        return asyncio.run(self._shared())

    def assert_same(self) -> None:
        before = self.before.copy()
        assert self.decide() == asyncio.run(self._one_by_one())
        assert (self.before == before).all()


regions = st.tuples(
    st.integers(0, WIDTH - 24), st.integers(0, HEIGHT - 24), st.integers(1, 24), st.integers(1, 24)
).map(lambda r: (r[0], r[1], r[0] + r[2], r[1] + r[3]))


def beside(where: Region) -> st.SearchStrategy[tuple[int, int]]:
    """Pixels outside a region, no farther from it than the gap between regions of a frame."""
    x0, y0, x1, y1 = where
    away = st.integers(1, GAP_PX)
    columns, rows = st.integers(x0, x1 - 1), st.integers(y0, y1 - 1)
    return st.one_of(
        st.tuples(away.map(lambda d: x0 - d), rows),
        st.tuples(away.map(lambda d: x1 - 1 + d), rows),
        st.tuples(columns, away.map(lambda d: y0 - d)),
        st.tuples(columns, away.map(lambda d: y1 - 1 + d)),
    ).filter(lambda pixel: 0 <= pixel[0] < WIDTH and 0 <= pixel[1] < HEIGHT)


@st.composite
def screens(draw: st.DrawFn) -> Screen:
    """Random layouts. A candidate may change nothing, its inside, the rim of its region, far pixels, and others' boxes.

    A leak that layout does not know starts at the rim of its region, as shadows and overflowing ink do; one that layout
    knows may be anywhere. No two candidates leak onto the same pixel.
    """
    boxes = draw(st.lists(regions, min_size=1, max_size=9))
    taken: set[tuple[int, int]] = set()

    def fresh(pixels: list[tuple[int, int]]) -> list[tuple[int, int]]:
        chosen = [pixel for pixel in dict.fromkeys(pixels) if pixel not in taken]
        taken.update(chosen)
        return chosen

    effects = []
    for where in boxes:
        x0, y0, x1, y1 = where
        inside = draw(st.lists(st.tuples(st.integers(x0, x1 - 1), st.integers(y0, y1 - 1)), max_size=4, unique=True))
        known = draw(st.booleans())
        leaks: list[tuple[int, int]] = []
        if draw(st.booleans()):
            near = draw(st.lists(beside(where), min_size=1, max_size=3))
            far = draw(st.lists(st.tuples(st.integers(0, WIDTH - 1), st.integers(0, HEIGHT - 1)), max_size=3))
            other = draw(st.sampled_from(boxes))
            into = [(other[0], other[1])] if draw(st.booleans()) else []
            start = fresh(near)
            if start or known:
                leaks = start + fresh([p for p in far + into if not (x0 <= p[0] < x1 and y0 <= p[1] < y1)])
        effects.append(Effect(where, inside, leaks, known))
    pairs = st.frozensets(st.integers(0, len(boxes) - 1), min_size=1, max_size=2)
    return Screen(effects, draw(st.sets(pairs, max_size=2)))


@given(screens())
@settings(max_examples=150)
def test_shared_frames_decide_as_frames_of_one(screen: Screen) -> None:
    screen.assert_same()


@given(st.lists(st.builds(Framed, regions, regions), max_size=20))
def test_every_candidate_is_in_one_frame_with_a_gap_to_all_others(candidates: list[Framed]) -> None:
    packed = pack(candidates)
    assert sorted(index for frame in packed for index in frame) == list(range(len(candidates)))
    for frame in packed:
        for i in frame:
            for j in frame:
                for a in (candidates[i].where, candidates[i].reach) if i != j else ():
                    for b in (candidates[j].where, candidates[j].reach):
                        assert max(a[0] - b[2], b[0] - a[2], a[1] - b[3], b[1] - a[3]) >= GAP_PX


LEFT, RIGHT, FAR = (4, 4, 24, 24), (34, 4, 54, 24), (130, 95, 150, 115)


def test_candidates_apart_share_one_capture() -> None:
    screen = Screen([Effect(where, inside=[where[:2]]) for where in (LEFT, RIGHT, FAR)])
    assert [result.decision for result in screen.decide()] == [Decision("accepted", 1, 0)] * 3
    assert screen.captures == [[0, 1, 2]]


def test_a_leak_beside_its_box_costs_its_candidate_and_its_neighbours_a_frame() -> None:
    screen = Screen([Effect(LEFT, inside=[(5, 5)], leaks=[(26, 9)]), Effect(FAR, inside=[(131, 96)])])
    assert [result.decision.status for result in screen.decide()] == ["nonlocal", "accepted"]
    assert screen.captures == [[0, 1], [0]]
    screen.assert_same()


def test_a_leak_far_from_every_box_is_traced_to_its_candidate() -> None:
    screen = Screen([Effect(LEFT, leaks=[(80, 60)]), Effect(RIGHT, inside=[(35, 5)]), Effect(FAR)])
    assert [result.decision.status for result in screen.decide()] == ["nonlocal", "accepted", "ineffective"]
    screen.assert_same()


def test_a_leak_that_runs_into_a_box_far_away_does_not_count_for_that_box() -> None:
    screen = Screen([Effect(LEFT, inside=[(5, 5)], leaks=[(26, 9), (140, 100)]), Effect(FAR, inside=[(131, 96)])])
    decided = screen.decide()
    assert [result.decision for result in decided] == [Decision("nonlocal", 1, 2), Decision("accepted", 1, 0)]
    screen.assert_same()


def test_candidates_whose_layouts_interfere_are_captured_apart() -> None:
    effects = [Effect(LEFT, inside=[(5, 5)]), Effect(RIGHT, inside=[(35, 5)])]
    screen = Screen(effects, {frozenset({0, 1})})
    assert [result.decision.status for result in screen.decide()] == ["accepted", "accepted"]
    assert Screen(effects, {frozenset({0})}).decide()[0].decision == Decision("unreplayable", 0, 0)


# A real page


def crowded_page() -> str:
    """Twenty cards of three elements. Many draw outside their boxes, in ways that layout shows and ways it does not."""
    extras = [
        "white-space:nowrap;width:70px",
        "text-shadow:0 30px 1px",
        "box-shadow:0 0 6px rgb(0,0,0)",
        "filter:drop-shadow(9px 9px 2px rgb(0,0,0))",
        "text-shadow:-12px -14px 2px;border:2px solid rgb(9,90,9)",
        "background-image:linear-gradient(90deg,rgb(43,127,255),rgb(28,57,142));text-shadow:0 20px",
        "outline:3px solid;opacity:0.8",
    ]
    css = (
        ".card{position:absolute;width:170px;height:110px;border-radius:8px;font-size:15px}"
        ".row{display:flex;justify-content:center} b{color:rgb(30,60,120)}"
    )
    cards = [
        f'<div class="card" style="left:{20.5 + 250 * (i % 5)}px;top:{15.25 + 190 * (i // 5)}px;'
        f'background-color:rgb({150 + 20 * (i % 5)},{240 - 10 * (i % 7)},250);{extras[i % 7]}">'
        f'<b>Card {i}</b><div class="row"><i>{i * 37 % 100} %</i></div></div>'
        for i in range(20)
    ]
    return page("".join(cards), css)


def decisions(rows: list[Row]) -> list[tuple[object, ...]]:
    names = ("candidate_id", "status", "inside_changed_px", "outside_changed_px", "after_pixels")
    return [tuple(row.get(name) for name in names) for row in rows]


def test_a_real_page_gives_the_same_candidates_packed_and_one_by_one(
    live: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    packed: list[int] = []

    def counted(candidates: list[Framed]) -> list[list[int]]:
        found = pack(candidates)
        packed.extend(map(len, found))
        return found

    monkeypatch.setattr(frames, "pack", counted)
    shared = live.rows(crowded_page())
    monkeypatch.setattr(frames, "pack", lambda candidates: [[index] for index in range(len(candidates))])
    single = live.rows(crowded_page())
    assert decisions(shared) == decisions(single)
    assert {"accepted", "nonlocal"} <= {row["status"] for row in shared}
    assert max(packed) >= 4
