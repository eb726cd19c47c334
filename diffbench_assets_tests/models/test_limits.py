"""Rate limits, adaptive concurrency and budgets, by arithmetic and against a real server."""

from __future__ import annotations

import asyncio
import time

import pytest

from diffbench_assets.models.clients import client_of
from diffbench_assets.models.failures import Failure
from diffbench_assets.models.journal import Journal
from diffbench_assets.models.limits import AdaptiveLimit, Budget, Pace, TokenBucket
from diffbench_assets.models.replies import Answer as Heard
from diffbench_assets.models.retry import RetryPolicy
from diffbench_assets.models.run import Run
from diffbench_assets_tests.models.chat_server import Answer, Asked, ChatServer, completion, error
from diffbench_assets_tests.models.helpers import IMPATIENT, PRICE, ask, endpoint, pair_call

COST = (1000 * 2 + 100 * 10) / 1e6
"""US dollars of one answer of the loopback server at PRICE."""


def calls(count: int):
    return (pair_call(f"pair-{n}") for n in range(count))


@pytest.mark.parametrize(
    ("result", "taken"),
    [
        (Heard("completed", "x", input_tokens=900, output_tokens=70), 970),
        (Heard("completed", "x"), None),
        (Failure("fatal", "no"), 0),
    ],
    ids=["tokens are known", "tokens are unknown", "nothing was answered"],
)
def test_the_tokens_of_a_call_are_corrected_to_what_it_took(result: Heard | Failure, taken: int | None) -> None:
    client = client_of(endpoint("http://127.0.0.1:1/v1"))
    request = client.prepare(pair_call("a"))
    reserved = request.estimated_tokens + client.first_guess_output_tokens
    corrections: list[float] = []

    async def attempt(_: object) -> Heard:
        if isinstance(result, Failure):
            raise result
        return result

    client.attempt, client._pace.tokens.correct = attempt, corrections.append
    asyncio.run(client.ask(request))
    assert reserved + sum(corrections) == (reserved if taken is None else taken)
    assert client._mean_output == (457 if taken == 970 else client.first_guess_output_tokens)


def test_thoughts_are_paid_for_where_no_tokens_are_reported() -> None:
    client = client_of(endpoint("http://127.0.0.1:1/v1", usd_per_million_tokens=PRICE))
    request = client.prepare(pair_call("a"))
    plain, thinking = Heard("completed", "x" * 40), Heard("completed", "x" * 40, thought="y" * 4000)
    assert client.spent(request, thinking) - client.spent(request, plain) == pytest.approx(1000 * 10 / 1e6)


def test_a_shorter_pause_does_not_end_a_longer_one() -> None:
    async def waited() -> float:
        pace, started = Pace(None, None), time.monotonic()
        pace.pause(0.15)
        pace.pause(0.01)
        await pace.turn(1)
        return time.monotonic() - started

    assert asyncio.run(waited()) >= 0.14


def test_what_is_in_flight_counts_against_the_budget() -> None:
    budget = Budget(usd=1.0)
    assert [budget.admit(0.6), budget.admit(0.6)] == ["yes", "wait"]
    budget.settle(0.6, 0.1)
    assert [budget.admit(0.6), budget.admit(0.6)] == ["yes", "wait"]
    budget.settle(0.6, 0.6)
    assert (budget.admit(0.6), budget.exhausted, budget.asked) == ("no", True, 2)


def test_every_connection_is_closed_when_a_run_ends() -> None:
    async def lanes() -> list[bool]:
        client = client_of(endpoint(server.url))
        async with client:
            await asyncio.gather(*(client.ask(client.prepare(call)) for call in calls(3)))
        return [lane.is_closed for lane in client._lanes._all]

    with ChatServer(lambda asked: Answer(completion().body, delay_s=0.05)) as server:
        assert asyncio.run(lanes()) == [True] * 3


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_a_bucket_never_lets_more_through_than_its_rate_and_one_second():
    clock = Clock()
    bucket = TokenBucket(600, clock)
    sent: list[float] = []
    for _ in range(300):
        clock.now += bucket.reserve(1)
        sent.append(clock.now)
    assert sent[9] == 0.0 and sent[-1] == pytest.approx(29.0)
    clock.now += 1000
    assert [bucket.reserve(1) for _ in range(10)] == [0.0] * 10 and bucket.reserve(1) > 0


def test_a_bucket_takes_more_than_it_holds_as_debt_and_is_corrected():
    clock = Clock()
    bucket = TokenBucket(60_000, clock)
    assert bucket.reserve(3000) == pytest.approx(2.0)
    assert bucket.reserve(0) == pytest.approx(2.0)
    bucket.correct(-3000)
    assert bucket.reserve(0) == 0.0
    bucket.correct(5000)
    assert bucket.reserve(0) == pytest.approx(4.0)


def test_no_rate_means_no_wait():
    assert TokenBucket(None).reserve(10**9) == 0.0


def test_the_limit_halves_once_per_round_and_grows_by_one_per_round():
    limit = AdaptiveLimit(32)
    for _ in range(32):
        limit.throttled(sent_at=1.0, now=2.0)
    assert limit.limit == 16
    limit.throttled(sent_at=2.5, now=3.0)
    assert limit.limit == 8
    for _ in range(8):
        limit.succeeded()
    assert 8.9 < limit.limit <= 9
    for _ in range(10_000):
        limit.succeeded()
    assert limit.limit == 32
    for second in range(20):
        limit.throttled(sent_at=second + 10, now=second + 10.5)
    assert limit.limit == 1


def test_places_are_handed_on_and_survive_cancelled_waiters():
    async def scenario() -> None:
        limit = AdaptiveLimit(1)
        await limit.acquire()
        waiting = [asyncio.create_task(limit.acquire()) for _ in range(3)]
        await asyncio.sleep(0)
        waiting[0].cancel()
        await asyncio.sleep(0)
        limit.release()
        await waiting[1]
        assert limit.active == 1 and not waiting[2].done()
        limit.release()
        waiting[2].cancel()  # Granted and cancelled at once: the place must not be lost.
        await asyncio.gather(waiting[2], return_exceptions=True)
        assert limit.active == 0
        await asyncio.wait_for(limit.acquire(), 1)

    asyncio.run(scenario())


def test_requests_per_minute_are_kept():
    with ChatServer() as server:
        started = time.monotonic()
        replies = ask(endpoint(server.url, requests_per_minute=1200), calls(50))
        # 20 at once, the other 30 at 20 a second.
        assert 1.4 < time.monotonic() - started < 4
        assert len(replies) == 50


def test_tokens_per_minute_are_kept_by_what_the_endpoint_reports():
    with ChatServer() as server:
        started = time.monotonic()
        model = endpoint(server.url, tokens_per_minute=660_000, concurrency=2)
        ask(model, calls(30))
        # 1,100 tokens each: ten a second. The estimate (about 500) alone would let 20 a second through.
        assert time.monotonic() - started > 1.5


def test_too_many_requests_lower_the_concurrency_until_all_is_answered():
    with ChatServer() as server:
        crowded: list[int] = []

        def behave(asked: Asked) -> Answer:
            if server.in_flight > 4:
                crowded.append(server.in_flight)
                return error(429, "too many at once")
            return Answer(completion().body, delay_s=0.01)

        server.behave = behave
        replies = ask(endpoint(server.url, concurrency=32), calls(300))
        assert {reply.outcome for reply in replies.values()} == {"completed"}
        late = [asked for asked in server.log[len(server.log) // 2 :] if asked.nth > 1]
        assert crowded and len(late) < 0.15 * len(server.log), "it keeps running into the limit"


def test_a_retry_after_holds_all_calls_back_not_only_the_one_that_got_it():
    def behave(asked: Asked) -> Answer:
        first = asked.item == "pair-0" and asked.nth == 1
        return error(429, "slow down", Retry_After="0.6") if first else Answer(completion().body, delay_s=0.01)

    with ChatServer(behave) as server:
        replies = ask(endpoint(server.url, concurrency=2), calls(30), policy=RetryPolicy())
        told = next(asked.at for asked in server.log if asked.item == "pair-0")
        held = [asked for asked in server.log if told + 0.1 < asked.at < told + 0.55]
        assert len(replies) == 30 and not held


def test_errors_of_the_server_do_not_lower_the_concurrency():
    with ChatServer(lambda asked: error(500, "x") if asked.nth == 1 else Answer(completion().body, delay_s=0.05)) as it:
        ask(endpoint(it.url, concurrency=16), calls(64))
        assert it.most_in_flight == 16


def test_a_budget_in_calls_stops_after_exactly_that_many(tmp_path):
    with ChatServer() as server, Journal(tmp_path / "journal.jsonl") as journal:
        run = Run(endpoint(server.url), calls(100), journal, budget=Budget(calls=30))
        replies = list(run)
        assert (len(replies), len(server.counts), run.stopped_by_budget) == (30, 30, True)
        assert {reply.outcome for reply in replies} == {"completed"}
        # The next run gets those 30 for nothing and asks 30 more.
        run = Run(endpoint(server.url), calls(100), journal, budget=Budget(calls=30))
        assert len(list(run)) == 60 and run.stopped_by_budget
        run = Run(endpoint(server.url), calls(100), journal, budget=Budget(calls=40))
        assert len(list(run)) == 100 and not run.stopped_by_budget
        assert max(server.counts.values()) == 1


def test_a_budget_in_dollars_is_used_up_and_not_exceeded():
    with ChatServer() as server:
        budget = Budget(usd=40.5 * COST)
        run = Run(endpoint(server.url, usd_per_million_tokens=PRICE, concurrency=8), calls(200), budget=budget)
        replies = list(run)
        assert run.stopped_by_budget
        assert 0.8 * budget.usd <= budget.spent_usd <= budget.usd + 8 * COST
        assert budget.spent_usd == pytest.approx(sum(reply.cost_usd for reply in replies))
        assert budget.in_flight_usd == pytest.approx(0)
        assert run.progress.cost_usd == pytest.approx(budget.spent_usd)
        assert list(Run(endpoint(server.url, usd_per_million_tokens=PRICE), calls(5), budget=budget)) == []


def test_an_endpoint_without_usage_still_uses_the_budget_up():
    with ChatServer(lambda asked: completion("word " * 80, usage=None)) as server:
        budget = Budget(usd=0.02)
        run = Run(endpoint(server.url, usd_per_million_tokens=PRICE), calls(300), budget=budget)
        replies = list(run)
        assert run.stopped_by_budget and 0 < len(replies) < 100
        assert {reply.cost_usd for reply in replies} == {None}


def test_a_budget_in_dollars_without_a_price_is_an_error():
    with pytest.raises(ValueError, match="loopback: a budget in dollars needs usd_per_million_tokens"):
        Run(endpoint("http://127.0.0.1:1/v1"), [], budget=Budget(usd=1))


def test_a_rate_limited_call_has_its_own_allowance_of_attempts():
    most = IMPATIENT.rate_limit_attempts - 1
    with ChatServer(lambda asked: error(429, "wait") if asked.nth <= most else completion()) as server:
        assert most >= IMPATIENT.transient_attempts
        reply = ask(endpoint(server.url), [pair_call("a")])["a"]
        assert (reply.outcome, reply.attempts) == ("completed", most + 1)
