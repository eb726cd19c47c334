import functools
import random

import numpy as np
import pytest
from selectolax.lexbor import LexborHTMLParser

from diffbench_assets.corpus.near_duplicates import THRESHOLD, likeness, near_duplicates, pieces, signature
from diffbench_assets.pages.generator.generate import generate_page

PAGES = 120


@functools.cache
def generated(index: int) -> str:
    return generate_page(5, index).html


def edited(html: str, edits: int, seed: int) -> str:
    """The page with small changes of its structure: a class more, a small element less, one more, or one twice."""
    tree, dice = LexborHTMLParser(html), random.Random(seed)
    for _ in range(edits):
        node = dice.choice(
            [n for n in tree.body.css("*") if n.tag not in ("script", "style") and len(n.css("*")) <= 12]
        )
        edit = dice.randrange(4)
        if edit == 0:
            node.attrs["class"] = f"{node.attributes.get('class') or ''} mt-{dice.randrange(9)}".strip()
        elif edit == 1:
            node.decompose()
        elif edit == 2:
            node.insert_before(LexborHTMLParser('<div class="banner"><b>New</b></div>').body.first_child)
        else:
            node.insert_after(LexborHTMLParser(node.html).body.first_child)
    return tree.html


def group(pages: dict[str, str]) -> dict[str, str]:
    return dict(near_duplicates((name, signature(pieces(html))) for name, html in pages.items()))


def jaccard(a: np.ndarray, b: np.ndarray) -> float:
    return len(np.intersect1d(a, b)) / len(np.union1d(a, b))


def test_copies_with_small_edits_are_found_and_other_pages_are_not():
    pages = {f"page-{i}": generated(i) for i in range(PAGES)}
    for edits in (1, 2, 3):
        pages |= {f"page-{i}/copy-{edits}": edited(generated(i), edits, i) for i in range(PAGES)}
    groups = group(pages)
    copies = [name for name in pages if "/" in name]
    found = [name for name in copies if groups[name] != name]
    assert len(found) / len(copies) >= 0.99
    assert all(name.split("/")[0] == groups[name].split("/")[0] for name in pages)


def test_likeness_estimates_the_share_of_common_pieces():
    errors = []
    for index in range(60):
        a, b = pieces(generated(index)), pieces(edited(generated(index), 1 + index % 12, index))
        errors.append(likeness(signature(a), signature(b)) - jaccard(a, b))
    assert abs(np.mean(errors)) < 0.02 and np.std(errors) < 0.05


def test_text_attributes_and_the_depth_of_the_whole_do_not_count():
    page = "<body><main class='b a'><h1>One</h1><p>two</p><ul><li>x</li><li>y</li></ul></main></body>"
    other = "<body><main id='m' class='a b'><h1>1</h1><p>2<!-- 3 --></p><ul><li>4</li><li>5</li></ul></main></body>"
    assert (pieces(page) == pieces(other)).all()
    wrapped = f"<body><div><div>{page.removeprefix('<body>').removesuffix('</body>')}</div></div></body>"
    assert len(np.intersect1d(pieces(page), pieces(wrapped))) == len(pieces(page)) - 1


def test_a_longer_list_of_the_same_cards_is_alike():
    def cards(n: int) -> str:
        return (
            "<body><h1>All</h1><section>"
            + "<article class='c'><img><h2>A</h2><p>b</p></article>" * n
            + "</section></body>"
        )

    assert (signature(pieces(cards(10))) == signature(pieces(cards(24)))).all()


def test_kept_pages_are_never_alike_even_along_a_chain_of_small_steps():
    step = {0: signature(pieces(generated(0)))}
    dice = np.random.default_rng(0)
    for number in range(1, 40):
        step[number] = step[number - 1].copy()
        step[number][dice.integers(0, len(step[0]), 5)] = dice.integers(0, 2**32, 5)
    groups = dict(near_duplicates((str(number), numbers) for number, numbers in step.items()))
    kept = sorted({int(name) for name in groups.values()})
    assert 3 < len(kept) < 20
    assert all(likeness(step[a], step[b]) < THRESHOLD for a in kept for b in kept if a < b)
    assert all(likeness(step[int(page)], step[int(name)]) >= THRESHOLD for page, name in groups.items() if page != name)


@pytest.mark.parametrize("html", ["", "<body></body>", "<p>only text</p>"])
def test_pages_with_hardly_any_element_have_a_signature(html):
    assert group({"a": html, "b": html}) == {"a": "a", "b": "a"}


def test_groups_are_the_same_in_every_process():
    assert signature(pieces("<body><main class='x'><p>a</p></main></body>"))[::119].tolist() == [2306760587, 3512230572]
