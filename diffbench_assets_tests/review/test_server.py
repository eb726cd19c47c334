"""Who may use the page's server, and what it gives them, over real HTTP."""

from __future__ import annotations

import http.client
import re
import signal
import socket
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
import pytest

from diffbench_assets.errors import UserError
from diffbench_assets.lake import Lake
from diffbench_assets.review.decisions import option_sha256
from diffbench_assets.review.server import create_app, serve
from diffbench_assets.schemas import PAIRS
from diffbench_assets_tests.review.conftest import (
    SUITE,
    TOKEN,
    pair,
    png,
    question,
    saved,
    serving,
    small_lake,
    write_suite,
)

PATHS = ("", "review.js", "review.css", "api/everything", "api/agreement", "image?pair=pair-0&side=before")
CHOICE = {
    "question_id": "question-0", "option_sha256": option_sha256(question(0)["options"]["B"]), "decision": "discard",
}  # fmt: skip


@pytest.fixture(scope="module")
def unwritten(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    """A lake that nothing may be saved to."""
    return small_lake(tmp_path_factory.mktemp("unwritten"))


@pytest.fixture(scope="module")
def address(unwritten: Lake) -> Iterator[str]:
    with serving(unwritten) as address:
        yield address


def post(address: str, body: Any, path: str = "api/decisions", **headers: str) -> httpx.Response:
    return httpx.post(address + path, json=body, headers=headers)


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_given_without_the_token(address: str, path: str) -> None:
    base = address.removesuffix(f"{TOKEN}/")
    assert httpx.get(address + path).status_code == 200
    for wrong in ("", f"{TOKEN[:-1]}x/", f"{TOKEN}x/", "%00/", "é/", f"x/{TOKEN}/", f"//{TOKEN}/"):
        answer = httpx.get(base + wrong + path)
        assert answer.status_code == 403 and TOKEN not in answer.text


def test_nothing_is_saved_without_the_token(address: str, unwritten: Lake) -> None:
    base = address.removesuffix(f"{TOKEN}/")
    for path in ("api/decisions", "wrong/api/decisions", "wrong/api/undo"):
        assert post(base, {"decisions": [CHOICE]}, path).status_code == 403
    assert saved(unwritten) == []


@pytest.mark.parametrize(
    "host", ["example.invalid", "example.invalid:80", "127.0.0.1.example.invalid", "", "0.0.0.0", "[::1"]
)
def test_a_host_name_other_than_loopbacks_is_refused(address: str, unwritten: Lake, host: str) -> None:
    where = urlsplit(address)
    connection = http.client.HTTPConnection("127.0.0.1", where.port)
    connection.putrequest("GET", f"{where.path}api/everything", skip_host=True)
    connection.putheader("Host", host)
    connection.endheaders()
    assert connection.getresponse().status == 400
    assert post(address, {"decisions": [CHOICE]}, host=host or "-").status_code == 400
    assert saved(unwritten) == []


def test_loopbacks_own_names_are_served(address: str) -> None:
    port = urlsplit(address).port
    for host in (f"127.0.0.1:{port}", f"localhost:{port}", "LOCALHOST"):
        assert httpx.get(address, headers={"host": host}).status_code == 200


@pytest.mark.parametrize("path", [*PATHS, "nothing-here"])
def test_every_answer_carries_the_policy(address: str, path: str) -> None:
    for answer in (httpx.get(address + path), httpx.get(address.replace(TOKEN, "wrong") + path)):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy and "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"


def test_images_are_the_bytes_of_the_lake(address: str) -> None:
    for side, changed in (("before", False), ("after", True)):
        answer = httpx.get(address + "image", params={"pair": "pair-1", "side": side})
        assert answer.content == png(1, changed) and answer.headers["content-type"] == "image/png"
    for params in ({"pair": "pair-9", "side": "before"}, {"pair": "pair-1", "side": "record"}, {}):
        assert httpx.get(address + "image", params=params).status_code == 404


def test_a_pair_may_have_any_id_and_live_in_another_suite(lake: Lake) -> None:
    odd = "a/b ?&#%2F\"'<é"
    write_suite(lake, [question(0, pair_id=odd)], [])
    lake.write(PAIRS.of("webdiff"), [pair(0, pair_id=odd)], {"cell": "x"}, fingerprint="made")
    with serving(lake, pairs=PAIRS.of("webdiff")) as address:
        assert httpx.get(f"{address}image?pair={quote(odd, safe='')}&side=after").content == png(0, True)


@pytest.mark.parametrize("path", ["../../../pyproject.toml", "%2e%2e/server.py", "..%2fserver.py", "/etc/passwd"])
def test_files_outside_the_page_are_not_there(address: str, path: str) -> None:
    where = urlsplit(address)
    connection = http.client.HTTPConnection("127.0.0.1", where.port)
    connection.request("GET", where.path + path)
    assert connection.getresponse().status in {403, 404}


@pytest.mark.parametrize(
    "body, kind, status",
    [
        (b"{}", "application/json", 422),
        (b"[]", "application/json", 422),
        (b"{", "application/json", 422),
        (b"\xff", "application/json", 422),
        (b"[" * 90_000, "application/json", 422),
        (b'{"decisions": [1]}', "application/json", 422),
        (b'{"decisions": []}', "application/json", 422),
        (b'{"decisions": [{"question_id": {}, "option_sha256": [], "decision": "accept"}]}', "application/json", 422),
        (b'{"decisions": [], "x": "' + b"x" * 200_000 + b'"}', "application/json", 413),
        (b'{"decisions": []}', "text/plain", 415),
        (b'{"decisions": []}', "application/x-www-form-urlencoded", 415),
    ],
)
def test_a_body_that_is_no_decision_is_refused_with_a_reason(
    address: str, unwritten: Lake, body: bytes, kind: str, status: int
) -> None:
    answer = httpx.post(address + "api/decisions", content=body, headers={"content-type": kind})
    assert answer.status_code == status and answer.json()["error"]
    assert saved(unwritten) == []


def test_a_lake_that_cannot_be_written_is_reported_and_the_page_goes_on(lake: Lake) -> None:
    blocked = Path(lake.root, SUITE, "reviews")
    blocked.write_text("a file where the folder should be")
    with serving(lake) as address:
        answer = post(address, {"decisions": [CHOICE]})
        assert answer.status_code == 500 and "cannot write" in answer.json()["error"]
        blocked.unlink()
        assert post(address, {"decisions": [CHOICE]}).status_code == 200
    assert [row[2] for row in saved(lake)] == ["discard"]


def test_a_bad_reviewer_never_starts(lake: Lake) -> None:
    with pytest.raises(UserError, match="may hold only"):
        create_app(lake, SUITE, [], "../ann", TOKEN, PAIRS.of(SUITE))


def test_a_taken_port_is_an_error_that_says_what_to_do(lake: Lake) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken, pytest.raises(UserError, match="name another"):
        serve(lake, SUITE, [], "ann", PAIRS.of(SUITE), taken.getsockname()[1], open_browser=False)


def test_the_command_prints_a_secret_address_serves_loopback_only_and_ends_on_interrupt(lake: Lake) -> None:
    script = textwrap.dedent(
        """
        import sys
        from diffbench_assets.lake import Lake
        from diffbench_assets.protocols.multiple_choice.review import questions_to_review
        from diffbench_assets.review.server import serve
        from diffbench_assets.schemas import PAIRS
        lake = Lake(sys.argv[1])
        shown = questions_to_review(lake, "lowlevel_mcq")
        serve(lake, "lowlevel_mcq", shown, "ann", PAIRS.of("lowlevel_mcq"), open_browser=False)
        """
    )
    process = subprocess.Popen(
        [sys.executable, "-c", script, lake.root], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout
    address = process.stdout.readline().strip()
    found = re.fullmatch(r"http://127\.0\.0\.1:(\d+)/([\w-]{43})/", address)
    assert found
    transport = httpx.HTTPTransport(retries=5)
    with httpx.Client(transport=transport) as client:
        assert client.get(address).status_code == 200
        assert client.post(address + "api/decisions", json={"decisions": [CHOICE]}).status_code == 200
    process.send_signal(signal.SIGINT)
    _, complaints = process.communicate(timeout=20)
    assert process.returncode == 0 and complaints == ""
    assert [row[2] for row in saved(lake)] == ["discard"]
