"""The review page's server, for one reviewer on this machine.

Belongs here: routes, who may use them, and starting. Does not belong here: what is shown (the protocol), what is
saved (`decisions.py`), the page itself (`page/`).

Only somebody who has the address may do anything: it holds a random token, which every request carries, and the server
listens on loopback only. Host names other than loopback's are refused, so that no web page can reach it by a name of
its own. The page may load and send nothing but what this server gives.
"""

from __future__ import annotations

import json
import secrets
import socket
import webbrowser
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from diffbench_assets.errors import UserError
from diffbench_assets.lake import Lake
from diffbench_assets.review.agreement import agreement_table, read_reviews
from diffbench_assets.review.decisions import BadDecision, Decisions, check_reviewer
from diffbench_assets.review.images import SIDES, PairImages
from diffbench_assets.schemas import Table

LOOPBACK: Final = "127.0.0.1"
PAGE: Final = Path(__file__).resolve().parent / "page"
LONGEST_BODY: Final = 100_000
HEADERS: Final = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cache-control": "no-store",
}


def create_app(
    lake: Lake, suite: str, questions: Sequence[Mapping[str, Any]], reviewer: str, token: str, pairs: Table
) -> Starlette:
    """The page at `/<token>/`. `questions` are as the page shows them, `pairs` is the table that holds the images.

    Raises UserError for a reviewer's name that is no file name.
    """
    check_reviewer(reviewer)
    decisions = Decisions(lake, suite, reviewer, questions)
    images = PairImages(lake, pairs)

    def everything(request: Request) -> Response:
        return JSONResponse(
            {"suite": suite, "reviewer": reviewer, "questions": questions, "decisions": decisions.rows()}
        )

    async def decide(request: Request) -> Response:
        body = await _json_body(request)
        choices = body.get("decisions")
        if not isinstance(choices, list) or not all(isinstance(choice, dict) for choice in choices):
            raise HTTPException(422, "decisions must be a list of objects")
        try:
            return JSONResponse({"decisions": await run_in_threadpool(decisions.decide, choices)})
        except BadDecision as error:
            raise HTTPException(422, str(error)) from None

    async def undo(request: Request) -> Response:
        undone = await run_in_threadpool(decisions.undo)
        return JSONResponse({"undone": undone, "decisions": await run_in_threadpool(decisions.rows)})

    def image(request: Request) -> Response:
        side = request.query_params.get("side", "")
        png = images.png(request.query_params.get("pair", ""), side) if side in SIDES else None
        if png is None:
            raise HTTPException(404, "there is no such image in the lake")
        return Response(png, media_type="image/png", headers={"cache-control": "private, max-age=3600"})

    def agreement(request: Request) -> Response:
        return JSONResponse({"rows": agreement_table(read_reviews(lake, suite)).to_pylist()})

    return Starlette(
        routes=[
            Mount(
                "/{token}",
                routes=[
                    Route("/api/everything", everything),
                    Route("/api/decisions", decide, methods=["POST"]),
                    Route("/api/undo", undo, methods=["POST"]),
                    Route("/api/agreement", agreement),
                    Route("/image", image),
                    Mount("/", StaticFiles(directory=PAGE, html=True)),
                ],
            )
        ],
        middleware=[
            Middleware(_Headers),
            Middleware(TrustedHostMiddleware, allowed_hosts=[LOOPBACK, "localhost"], www_redirect=False),
            Middleware(_Token, token=token),
        ],
        exception_handlers={HTTPException: _refusal, UserError: _refusal},
    )


def serve(
    lake: Lake,
    suite: str,
    questions: Sequence[Mapping[str, Any]],
    reviewer: str,
    pairs: Table,
    port: int = 0,
    open_browser: bool = True,
) -> None:
    """Serves the page on loopback until it is interrupted; prints its address, and opens it.

    Port 0 is any free one. Raises UserError as `create_app`, and when the port is taken.
    """
    token = secrets.token_urlsafe(32)
    app = create_app(lake, suite, questions, reviewer, token, pairs)
    try:
        listening = socket.create_server((LOOPBACK, port))
    except OSError as error:
        raise UserError(f"cannot listen on port {port} ({error.strerror}): name another, or 0 for a free one") from None
    with listening:
        address = f"http://{LOOPBACK}:{listening.getsockname()[1]}/{token}/"
        print(f"{address}\nThe page is there until you press Ctrl+C. Keep the address to yourself.", flush=True)
        if open_browser:
            webbrowser.open(address)
        # No access log: it would hold the token.
        config = uvicorn.Config(app, log_level="warning", access_log=False, lifespan="off")
        with suppress(KeyboardInterrupt):
            uvicorn.Server(config).run(sockets=[listening])


async def _json_body(request: Request) -> dict[str, Any]:
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise HTTPException(415, "send JSON")
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > LONGEST_BODY:
            raise HTTPException(413, "that is too long")
    try:
        document = json.loads(body)
    except (ValueError, RecursionError):
        raise HTTPException(422, "send JSON") from None
    if not isinstance(document, dict):
        raise HTTPException(422, "send a JSON object")
    return document


def _refusal(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return JSONResponse({"error": error.detail if isinstance(error, HTTPException) else str(error)}, status)


class _Token:
    """Lets through only requests whose path starts with the token."""

    def __init__(self, app: ASGIApp, token: str) -> None:
        self._app = app
        self._token = token.encode()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            given = scope["path"].split("/", 2)[1].encode("utf-8", "replace")
            if not secrets.compare_digest(given, self._token):
                refusal = PlainTextResponse("Open the address that the review command printed.", 403)
                return await refusal(scope, receive, send)
        await self._app(scope, receive, send)


class _Headers:
    """Puts HEADERS on every answer that does not set them itself."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self._app(scope, receive, with_headers)
