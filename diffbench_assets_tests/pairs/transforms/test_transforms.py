"""Each low-level change is what it says, no other change of its category, and the same bytes every time."""

from __future__ import annotations

import functools
import subprocess
import sys
from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from matplotlib import cbook
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont
from scipy import ndimage
from sklearn.datasets import load_sample_image

from diffbench_assets import seeds
from diffbench_assets.pairs.grammar import TINTS, Claim, excludes
from diffbench_assets.pairs.transforms import BY_CHANGE, LOW_LEVEL, NoEffect, Transform, choose
from diffbench_assets.pairs.transforms import color as color_module
from diffbench_assets.pairs.transforms.profiles import (
    PROFILES,
    possible_claims,
    require_false,
)
from diffbench_assets.pairs.transforms.texture import plain_weave

PAPER = PROFILES["paper"]
CATEGORY = {row.change: category for category, rows in LOW_LEVEL.items() for row in rows}


@functools.cache
def portrait() -> np.ndarray:
    """A photograph of a face, 512 × 600."""
    with cbook.get_sample_data("grace_hopper.jpg") as file:
        return frozen(np.asarray(Pillow.open(file).convert("RGB")))


@functools.cache
def landscape() -> np.ndarray:
    """A photograph of a building and trees, 640 × 427."""
    return frozen(load_sample_image("china.jpg"))


@functools.cache
def page() -> np.ndarray:
    """A white page with colored boxes and black text."""
    image = Pillow.new("RGB", (480, 320), "white")
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 480, 40), fill="#1d4ed8")
    draw.rectangle((20, 230, 140, 300), fill="#f59e0b")
    for line in range(7):
        draw.text((20, 60 + 22 * line), "The quick brown fox jumps over it", "black", ImageFont.load_default(15))
    return frozen(np.asarray(image))


@functools.cache
def dark_page() -> np.ndarray:
    """A page of mid-gray and dark colors, which any light can change."""
    return frozen((page() * 0.5 + 40).astype(np.uint8))


IMAGES = {"portrait": portrait, "landscape": landscape, "page": page, "dark page": dark_page}
REFUSED = {
    ("page", "brighter"), ("page", "lit_left"), ("page", "lit_right"), ("page", "lit_top"), ("page", "lit_bottom"),
    ("page", "smoother"), ("page", "rougher"), ("dark page", "smoother"), ("dark page", "rougher"),
}  # fmt: skip
"""A page has no surface detail, and white takes no more light."""


def changes_of(profile: str) -> list[str]:
    return [change for changes in PROFILES[profile].changes.values() for change in changes]


def frozen(image: np.ndarray) -> np.ndarray:
    image = image.copy()
    image.setflags(write=False)
    return image


def plain(color: tuple[int, int, int] | int, side: int = 128) -> np.ndarray:
    return frozen(np.broadcast_to(np.uint8(color), (side, side, 3)))


def pair(row: Transform, image: np.ndarray, *key: object, strength: float = 1.0) -> tuple[np.ndarray, np.ndarray]:
    made = row.apply(image, seeds.rng(row.change, *key), strength)
    return (image if made.before is None else made.before).astype(float), made.image.astype(float)


# Measures of an image pair that share nothing with the code under test. Each is at least 1 where its claim holds.


def grain_rise(before: np.ndarray, after: np.ndarray) -> float:
    """In units of 4 levels: Donoho's estimate, from the finest diagonal Haar coefficients."""

    def sigma(image: np.ndarray) -> float:
        green = image[: len(image) // 2 * 2, : image.shape[1] // 2 * 2, 1]
        a, b, c, d = green[::2, ::2], green[::2, 1::2], green[1::2, ::2], green[1::2, 1::2]
        return float(np.median(np.abs(a - b - c + d)) / 2 / 0.6745)

    return (sigma(after) - sigma(before)) / 4


def steeper_edges(before: np.ndarray, after: np.ndarray) -> float:
    """In units of 8 %: the slope of the strongest edges, which grain on them hardly changes."""
    green = [image[..., 1] for image in (before, after)]
    strength = ndimage.gaussian_gradient_magnitude(green[0], 3)
    edges = strength >= np.quantile(strength, 0.995)
    slopes = [ndimage.gaussian_gradient_magnitude(image, 0.7)[edges].mean() for image in green]
    return float(np.log(slopes[1] / slopes[0]) / 0.08)


def crisper_detail(before: np.ndarray, after: np.ndarray) -> float:
    """In units of 15 %: the factor between the weak details of both; 0 where they are not the same details."""
    one, two = (image[..., 1] - ndimage.gaussian_filter(image[..., 1], 2) for image in (before, after))
    weak = ndimage.maximum_filter(np.minimum(np.abs(one), np.abs(two)), 5) < 10
    shared, own, new = ((a[weak] * b[weak]).sum() for a, b in ((one, two), (one, one), (two, two)))
    return float(np.log(new / own) / 2 / 0.15) if shared > 0.7 * np.sqrt(own * new) > 0 else 0.0


def pattern_gain(before: np.ndarray, after: np.ndarray) -> float:
    """At least 1 where most of the change of fine structure lies in a few frequencies, negative where it is lost."""
    spectra = [np.abs(np.fft.rfft2(ndimage.gaussian_filter(image[..., 1], 1) - 128)) ** 2 for image in (before, after)]
    change = np.abs(np.fft.rfft2(after[..., 1] - before[..., 1])) ** 2
    height, width = before.shape[:2]
    fine = np.hypot(np.fft.fftfreq(height)[:, None], np.fft.rfftfreq(width)) > 0.06
    strongest = np.argsort(change[fine])[-24:]
    share = change[fine][strongest].sum() / change[fine].sum()
    return float(np.sign(spectra[1][fine][strongest].sum() - spectra[0][fine][strongest].sum()) * share / 0.25)


def tint_towards(change: str, before: np.ndarray, after: np.ndarray) -> float:
    """At least 1 within 60 degrees of the tint's own direction."""
    shift = (after - before).mean(axis=(0, 1))
    shift -= shift.mean()
    index = TINTS.index(change)
    pure = np.array([[1, 0, 0], [1, 1, 0], [0, 1, 0], [0, 1, 1], [0, 0, 1], [1, 0, 1]])[index] - (1 + index % 2) / 3
    return float(shift @ pure / np.linalg.norm(shift) / np.linalg.norm(pure) / 0.5)


def brighter_throughout(before: np.ndarray, after: np.ndarray) -> float:
    gray = (after - before).mean(axis=2)
    return float(((gray > 0).mean() - (gray < 0).mean()) / 0.55)


def lit(axis: int, at_end: bool, before: np.ndarray, after: np.ndarray) -> float:
    """In units of 2 levels: the smaller of the bright half's gain and the dim half's loss."""
    first, second = (half.mean() for half in np.array_split(after - before, 2, axis=axis))
    bright, dim = (second, first) if at_end else (first, second)
    return float(min(bright, -dim) / 2)


def negative(measure: Callable[[np.ndarray, np.ndarray], float]) -> Callable[[np.ndarray, np.ndarray], float]:
    return lambda before, after: -measure(before, after)


MEASURES: dict[str, Callable[[np.ndarray, np.ndarray], float]] = {
    **{change: functools.partial(tint_towards, change) for change in TINTS},
    "grainier": grain_rise,
    "cleaner": negative(grain_rise),
    "finer": steeper_edges,
    "coarser": negative(steeper_edges),
    "rougher": crisper_detail,
    "smoother": negative(crisper_detail),
    "woven": pattern_gain,
    "unwoven": negative(pattern_gain),
    "brighter": brighter_throughout,
    "dimmer": negative(brighter_throughout),
    "lit_left": functools.partial(lit, 1, False),
    "lit_right": functools.partial(lit, 1, True),
    "lit_top": functools.partial(lit, 0, False),
    "lit_bottom": functools.partial(lit, 0, True),
}


class TestClaims:
    @pytest.mark.parametrize("change", BY_CHANGE)
    @pytest.mark.parametrize("name", IMAGES)
    def test_a_change_is_true_of_the_pair_and_what_it_excludes_is_false(self, name: str, change: str) -> None:
        row, image = BY_CHANGE[change], IMAGES[name]()
        if (name, change) in REFUSED:
            with pytest.raises(NoEffect, match=f"^{change}: "):
                row.apply(image, seeds.rng(change))
            return
        for key in range(3):
            before, after = pair(row, image, key)
            assert MEASURES[change](before, after) >= 1
            truth = Claim("the image", change)
            for other in possible_claims(PROFILES["extended"], change):
                if excludes(truth, other):
                    assert MEASURES[other.change](before, after) < 0.75, other

    @pytest.mark.parametrize(("profile", "change"), [(name, c) for name in PROFILES for c in changes_of(name)])
    def test_a_pair_can_have_the_reverse_of_all_it_may_have_and_two_false_statements_for_each(
        self, profile: str, change: str
    ) -> None:
        claims = possible_claims(PROFILES[profile], change, 1)
        assert {claim.reversed() for claim in claims} == set(claims)
        assert all(sum(excludes(claim, other) for other in claims) >= 2 for claim in claims)


class TestProfiles:
    def test_each_change_is_in_the_extended_profile_and_the_papers_have_its_parameters(self) -> None:
        assert PROFILES["extended"].changes == {c: tuple(r.change for r in rows) for c, rows in LOW_LEVEL.items()}
        drawn = {
            c: BY_CHANGE[c].apply(landscape(), seeds.rng(1)).parameters for c in ("grainier", "smoother", "dimmer")
        }
        assert PAPER.changes.keys() == set(LOW_LEVEL) and set(drawn) <= set(changes_of("paper"))
        assert drawn["grainier"] == {"sigma": 15.0} and drawn["dimmer"].keys() == {"gamma", "offset"}
        assert 2.4 <= drawn["smoother"]["sigma"] <= 3.6 and 0.18 <= drawn["smoother"]["residual"] <= 0.36

    @pytest.mark.parametrize("change", changes_of("paper"))
    def test_a_pair_of_the_papers_changes_may_also_be_said_to_show_one_of_each_other(self, change: str) -> None:
        claims = possible_claims(PAPER, change, 1)
        reverse = Claim("the image", change).reversed().change
        assert len(claims) == 8 and {change, reverse} < {claim.change for claim in claims}
        assert len({claim.axis for claim in claims}) == 4
        tints = {frozenset(c.change for c in possible_claims(PAPER, "grainier", key)) & set(TINTS) for key in range(60)}
        assert len(tints) == 3, "one tint and its reverse, another for another pair"

    @pytest.mark.parametrize("change", changes_of("paper"))
    @pytest.mark.parametrize("name", ["portrait", "landscape", "page"])
    def test_a_pair_is_refused_where_another_category_may_describe_it_too(self, name: str, change: str) -> None:
        row, image, truth = BY_CHANGE[change], IMAGES[name](), Claim("the image", change)
        refused = 0
        for key in range(12) if (name, change) not in REFUSED else ():
            (before, after), possible = pair(row, image, key), possible_claims(PAPER, change, key)
            try:
                require_false(truth, possible, before.astype(np.uint8), after.astype(np.uint8))
            except NoEffect:
                refused += 1
                continue
            color = np.subtract(after, before).mean(axis=(0, 1))
            moved = np.abs(color - color.mean()).max() / 3  # Levels, a tint that can be seen: half of the least offset.
            for other in possible:
                if excludes(truth, other):
                    seen = MEASURES[other.change](before, after) * (moved if other.change in TINTS else 1)
                    assert seen < 1.1, other
        # Noise that clips at white dims a page.
        assert (refused == 12) == ((name, change) == ("page", "grainier"))


class TestNoise:
    def test_sigma_is_15_before_clipping(self) -> None:
        gray = plain(128, 256)  # More than eight sigma from either end: nothing clips.
        noise = [BY_CHANGE["grainier"].apply(gray, seeds.rng(key)).image.astype(float) - 128 for key in range(100)]
        assert all(abs(values.std() - 15) < 0.1 and abs(values.mean()) < 0.2 for values in noise)
        assert abs(np.std(noise) - 15) < 0.01

    def test_channels_and_neighbours_are_independent(self) -> None:
        noise = BY_CHANGE["grainier"].apply(plain(128, 256), seeds.rng(0)).image.astype(float) - 128
        pairs = [(noise[..., 0], noise[..., 1]), (noise[..., 1], noise[..., 2]), (noise[1:], noise[:-1])]
        assert all(abs(np.corrcoef(a.ravel(), b.ravel())[0, 1]) < 0.02 for a, b in pairs)

    def test_what_leaves_the_range_is_clipped(self) -> None:
        white = BY_CHANGE["grainier"].apply(plain(255), seeds.rng(0)).image
        assert 0.45 < (white == 255).mean() < 0.55

    def test_cleaning_leaves_a_share_of_the_very_noise_that_was_there(self) -> None:
        made = BY_CHANGE["cleaner"].apply(plain(128, 256), seeds.rng(0))
        assert made.before is not None
        before, after = made.before - 128.0, made.image - 128.0
        assert abs(before.std() - 15) < 0.1
        assert 0.1 <= made.parameters["sigma_after"] / 15 <= 0.3
        assert np.abs(after - before * made.parameters["sigma_after"] / 15).max() <= 1


class TestColor:
    def test_the_offset_follows_the_two_steps_and_its_limits(self) -> None:
        for change, key in ((change, key) for change in TINTS for key in range(6)):
            made = BY_CHANGE[change].apply(landscape(), seeds.rng(change, key))
            perturbed = np.clip(landscape().astype(int) + made.parameters["perturbation"], 0, 255)
            direction = (perturbed - landscape()).mean(axis=(0, 1))
            direction = (direction - direction.mean()) * 0.55
            expected = direction * min(1, 12 / np.abs(direction).max())
            offset = np.array(made.parameters["offset"])
            assert offset == pytest.approx(expected, abs=1e-6)
            assert np.abs(offset).max() <= 12 + 1e-9 and abs(offset.sum()) < 1e-9
            applied = np.clip(landscape().astype(int) + np.rint(offset).astype(int), 0, 255)
            assert (made.image == applied).all()

    @pytest.mark.parametrize("strength", [0.5, 1.0, 2.0])
    def test_no_strength_exceeds_the_cap(self, strength: float) -> None:
        for key in range(50):
            offset = BY_CHANGE["tinted_green"].apply(dark_page(), seeds.rng(key), strength).parameters["offset"]
            assert 6 * min(1, strength) <= max(map(abs, offset)) <= 12 * min(1, strength) + 1e-9

    def test_hues_stay_clear_of_the_boundary_between_two_names(self) -> None:
        for change, key in ((change, key) for change in TINTS for key in range(20)):
            made = BY_CHANGE[change].apply(portrait(), seeds.rng(key))
            for shift in (made.parameters["offset"], made.parameters["shift"]):
                distance = abs(color_module.hue(np.array(shift)) - 60 * TINTS.index(change))
                assert min(distance, 360 - distance) <= 20 + 1e-6

    def test_hue_runs_around_the_circle(self) -> None:
        colors = [(1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 1, 1), (0, 0, 1), (1, 0, 1)]
        assert [color_module.hue(np.array(color, float)) for color in colors] == pytest.approx(list(range(0, 360, 60)))


class TestResolution:
    def test_nothing_finer_than_the_scale_is_left(self) -> None:
        made = BY_CHANGE["coarser"].apply(landscape(), seeds.rng(0))
        spectra = [np.abs(np.fft.rfft2(image[..., 1].astype(float))) ** 2 for image in (landscape(), made.image)]
        fine = np.abs(np.fft.fftfreq(spectra[0].shape[0])) > made.parameters["scale"] / 2 + 0.15
        assert spectra[1][fine].sum() < 0.15 * spectra[0][fine].sum()
        assert made.image.shape == landscape().shape

    def test_both_images_of_a_restored_pair_have_lost_some(self) -> None:
        made = BY_CHANGE["finer"].apply(landscape(), seeds.rng(0))
        assert made.parameters["scale_before"] < made.parameters["scale_after"] < 1
        assert made.before is not None and (made.image != landscape()).any()


class TestTexture:
    def test_edges_are_kept_where_surfaces_are_smoothed(self) -> None:
        before, after = pair(BY_CHANGE["smoother"], portrait())
        strength = ndimage.gaussian_gradient_magnitude(before[..., 1], 1)
        edges = strength >= np.quantile(strength, 0.99)
        kept = ndimage.gaussian_gradient_magnitude(after[..., 1], 1)[edges].mean() / strength[edges].mean()
        assert kept > 0.85  # Contrast alone takes up to 6 %.
        assert crisper_detail(before, after) * 0.15 < -0.3

    def test_skin_is_smoothed_more_than_another_color_of_the_same_brightness(self) -> None:
        texture = np.random.default_rng(0).normal(0, 3, (128, 128, 1))
        lost = []
        for color in ((200, 150, 120), (120, 165, 190)):
            before, after = pair(BY_CHANGE["smoother"], np.clip(color + texture, 0, 255).astype(np.uint8), "same")
            lost.append(1 - (after[..., 1] - ndimage.gaussian_filter(after[..., 1], 3)).std() / 3)
        assert lost[0] > lost[1] + 0.05

    def test_colors_are_a_little_grayer(self) -> None:
        before, after = pair(BY_CHANGE["smoother"], portrait())
        saturation = [(image.max(axis=2) - image.min(axis=2)).mean() for image in (before, after)]
        assert 0.8 < saturation[1] / saturation[0] < 0.96

    def test_sharpening_leaves_strong_edges_without_halo(self) -> None:
        made = BY_CHANGE["rougher"].apply(portrait(), seeds.rng(0))
        strength = ndimage.gaussian_gradient_magnitude(portrait()[..., 1].astype(float), 1)
        edges = strength >= np.quantile(strength, 0.98)
        assert (made.image[edges] == portrait()[edges]).mean() > 0.95

    def test_the_weave_repeats_after_two_threads_both_ways(self) -> None:
        made = BY_CHANGE["woven"].apply(plain(128), seeds.rng(0))
        period = 2 * made.parameters["thread"]
        assert (made.image[period:] == made.image[:-period]).all()
        assert (made.image[:, period:] == made.image[:, :-period]).all()
        assert (made.image[:, : -period // 2] != made.image[:, period // 2 :]).any()

    @pytest.mark.parametrize("thread", [3, 4, 5])
    def test_the_weave_has_zero_mean_and_unit_size(self, thread: int) -> None:
        pattern = plain_weave(20 * thread, 20 * thread, thread, (1, 2))
        assert abs(pattern.mean()) < 1e-5 and abs(pattern.std() - 1) < 1e-5

    def test_unweaving_ends_at_the_seed(self) -> None:
        made = BY_CHANGE["unwoven"].apply(portrait(), seeds.rng(0))
        assert (made.image == portrait()).all() and made.before is not None and (made.before != portrait()).any()


class TestIllumination:
    @pytest.mark.parametrize(
        ("change", "gammas", "offsets"),
        [("brighter", (0.70, 0.85), range(5, 16)), ("dimmer", (1.15, 1.30), range(-15, -4))],
    )
    def test_draws_fill_the_published_ranges_and_every_pixel_follows_the_formula(
        self, change: str, gammas: tuple[float, float], offsets: range
    ) -> None:
        gray_steps = frozen(np.arange(32 * 32 * 3).astype(np.uint8).reshape(32, 32, 3))
        drawn = [BY_CHANGE[change].apply(gray_steps, seeds.rng(key)) for key in range(300)]
        gamma = np.array([made.parameters["gamma"] for made in drawn])
        assert gammas[0] <= gamma.min() < gammas[0] + 0.01 and gammas[1] - 0.01 < gamma.max() <= gammas[1]
        assert {made.parameters["offset"] for made in drawn} == set(offsets)
        for made in drawn[:5]:
            exact = 255 * (gray_steps / 255) ** made.parameters["gamma"] + made.parameters["offset"]
            assert (made.image == np.clip(np.rint(exact), 0, 255)).all()

    @pytest.mark.parametrize("change", ["lit_left", "lit_right", "lit_top", "lit_bottom"])
    def test_light_from_a_side_falls_off_smoothly_and_stays_inside_both_ranges(self, change: str) -> None:
        made = BY_CHANGE[change].apply(plain(128, 200), seeds.rng(0))
        profile = made.image[..., 1].astype(int).mean(axis=0 if change in ("lit_left", "lit_right") else 1)
        steps = np.diff(profile if change in ("lit_left", "lit_top") else profile[::-1])
        assert (steps <= 0).all() and steps.min() >= -2
        brightest, dimmest = (
            255 * (128 / 255) ** made.parameters[f"gamma_{end}"] + made.parameters[f"offset_{end}"]
            for end in ("bright", "dark")
        )
        assert abs(profile.max() - brightest) <= 1 and abs(profile.min() - dimmest) <= 1
        assert 0.70 <= made.parameters["gamma_bright"] <= 0.85 and 5 <= made.parameters["offset_bright"] <= 15
        assert 1.15 <= made.parameters["gamma_dark"] <= 1.30 and -15 <= made.parameters["offset_dark"] <= -5


def quadrants(*levels: int) -> np.ndarray:
    return frozen(
        np.repeat(np.kron(np.array(levels, np.uint8).reshape(2, 2), np.ones((64, 64), np.uint8))[..., None], 3, 2)
    )


class TestNoEffect:
    @pytest.mark.parametrize(
        ("image", "changes"),
        [
            (plain(255), ("brighter", "lit_left", "lit_right", "lit_top", "lit_bottom")),
            (plain(0), ("dimmer", "lit_left", "lit_right", "lit_top", "lit_bottom")),
            (plain(128), ("smoother", "rougher", "coarser", "finer")),
            (plain((255, 0, 0)), ("tinted_red",)),
            (plain((0, 255, 255)), ("tinted_cyan",)),
            (quadrants(128, 255, 255, 0), ("lit_left", "lit_right", "lit_top", "lit_bottom")),
            (quadrants(128, 4, 250, 160), ("lit_left", "lit_bottom")),
        ],
        ids=["white", "black", "gray", "red", "cyan", "cannot take it", "would be lit from two sides"],
    )
    def test_a_change_that_would_not_show_is_refused(self, image: np.ndarray, changes: tuple[str, ...]) -> None:
        for change in changes:
            with pytest.raises(NoEffect, match=f"^{change}: "):
                BY_CHANGE[change].apply(image, seeds.rng(change))

    def test_loss_of_resolution_is_refused_where_it_would_take_grain_away(self) -> None:
        grainy = BY_CHANGE["grainier"].apply(landscape(), seeds.rng(0)).image
        for change in ("coarser", "finer"):
            with pytest.raises(NoEffect, match="grain"):
                BY_CHANGE[change].apply(grainy, seeds.rng(0))

    @pytest.mark.parametrize("change", [change for change in BY_CHANGE if change != "coarser"])  # It always costs much.
    def test_a_strength_too_small_to_see_is_refused(self, change: str) -> None:
        with pytest.raises(NoEffect):
            BY_CHANGE[change].apply(portrait(), seeds.rng(0), 0.02)

    @pytest.mark.parametrize("change", BY_CHANGE)
    def test_bad_input_is_an_error_and_not_a_refusal(self, change: str) -> None:
        for image in (portrait()[..., 0], portrait().astype(float), np.zeros((64, 64, 4), np.uint8)):
            with pytest.raises(ValueError, match="an image is uint8"):
                BY_CHANGE[change].apply(image, seeds.rng(0))
        for strength in (0, -1, float("nan"), float("inf")):
            with pytest.raises(ValueError, match="strength"):
                BY_CHANGE[change].apply(portrait(), seeds.rng(0), strength)


class TestStrength:
    @pytest.mark.parametrize("change", [change for change in BY_CHANGE if change not in TINTS])
    def test_a_stronger_change_changes_more(self, change: str) -> None:
        sizes = []
        for strength in (0.6, 1.0, 1.5):
            before, after = pair(BY_CHANGE[change], portrait(), "same", strength=strength)
            sizes.append(np.abs(after - before).mean())
        assert sizes[0] < sizes[1] < sizes[2]


DIGEST_OF_ALL = """
import hashlib, json
import numpy as np
from diffbench_assets import seeds
from diffbench_assets.pairs.transforms import LOW_LEVEL

y, x, channel = np.indices((128, 128, 3))
image = (128 + 50 * ((y // 32 + x // 32 + channel) % 2) + 5 * np.sin(x) * np.sin(y)).astype(np.uint8)
whole = hashlib.sha256()
for row in (row for rows in LOW_LEVEL.values() for row in rows):
    made = row.apply(image, seeds.rng(row.change))
    for part in (made.before, made.image):
        whole.update(b"" if part is None else part.tobytes())
    whole.update(json.dumps(made.parameters, sort_keys=True).encode())
print(whole.hexdigest())
"""


class TestDeterminism:
    def test_another_process_makes_the_same_bytes(self) -> None:
        runs = [
            subprocess.run([sys.executable, "-c", DIGEST_OF_ALL], capture_output=True, text=True, check=True)
            for _ in range(2)
        ]
        assert runs[0].stdout == runs[1].stdout and len(runs[0].stdout) == 65

    def test_the_draws_alone_decide(self) -> None:
        noise = LOW_LEVEL["noise"][0]
        one, same, other = (noise.apply(landscape(), seeds.rng(key)) for key in (1, 1, 2))
        assert (one.image == same.image).all() and one.parameters == same.parameters
        assert (one.image != other.image).any()

    @pytest.mark.parametrize("category", LOW_LEVEL)
    def test_every_change_of_a_category_is_equally_frequent_in_an_order_of_the_seeds_own(self, category: str) -> None:
        profile = PROFILES["extended"]
        drawn = [choose(profile, category, place, 1).change for place in range(60)]
        counts = Counter(drawn)
        assert counts == {row.change: 60 // len(LOW_LEVEL[category]) for row in LOW_LEVEL[category]}
        assert drawn != [choose(profile, category, place, 2).change for place in range(60)]
        assert drawn != drawn[: len(counts)] * (60 // len(counts))

    @settings(max_examples=60, deadline=None)
    @given(
        st.sampled_from(sorted(BY_CHANGE)),
        st.integers(1, 90),
        st.integers(1, 90),
        st.integers(0, 1000),
        st.sampled_from(["noise", "blobs", "flat"]),
    )
    def test_any_size_gives_a_whole_image_or_a_refusal(
        self, change: str, height: int, width: int, seed: int, kind: str
    ) -> None:
        draws = np.random.default_rng(seed)
        image = draws.integers(0, 256, (1, 1, 3) if kind == "flat" else (height, width, 3)).astype(float)
        if kind == "blobs":
            image = 128 + 6 * (ndimage.gaussian_filter(image, (3, 3, 0)) - 128)
        image = frozen(np.broadcast_to(np.clip(image, 0, 255).astype(np.uint8), (height, width, 3)))
        try:
            made = BY_CHANGE[change].apply(image, seeds.rng(seed))
        except NoEffect:
            return
        for part in (made.image, image if made.before is None else made.before):
            assert part.shape == image.shape and part.dtype == np.uint8
        assert min(height, width) >= 32 and made.change == change
