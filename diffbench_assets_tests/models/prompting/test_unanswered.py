"""Replies that answer nothing are told from answers, and findings of nothing are answers."""

from __future__ import annotations

import time

import pytest

from diffbench_assets.models.prompting.unanswered import unanswered

REPLIES = {
    "refused": [
        "I'm sorry, but I can't help with that.",
        "I’m sorry, but I can’t assist with that request.",
        "**Sorry, I can't comply with that.**",
        "I cannot assist with identifying differences.",
        "I won't do that.",
        "I must decline.",
        "As an AI language model, I cannot view images.",
        "I'm unable to view images directly. Please describe them and I'd be happy to help.",
        "I apologize, but I am not able to process these images.",
        "I'm sorry, I can't see the images. Could you upload them again?",
        "No images were provided.",
        "I don't see any images attached. Please share the two screenshots.",
        "It seems no images were attached.",
        "The images did not load.",
        "抱歉，我无法帮助您。",
        "申し訳ありませんが、お手伝いできません。",
        "죄송하지만 도와드릴 수 없습니다.",
        "Lo siento, pero no puedo ayudar con eso.",
        "Es tut mir leid, aber ich kann dabei nicht helfen.",
        "Je suis désolé, mais je ne peux pas vous aider.",
    ],
    "empty": [
        "",
        " \n",
        "...",
        "-",
        "{}",
        "`{}`",
        "```json\n{}\n```",
        "<answer></answer>",
        "null",
        "N/A",
        "n/a.",
        "I don't know.",
        "Error: rate limit exceeded",
        "Error 429: Too Many Requests",
        '{"error": "rate limit exceeded"}',
        "HTTP 503 Service Unavailable",
        "Internal Server Error",
        "Request timed out.",
        "An error occurred while processing your request.",
    ],
    None: [
        "None",
        "No.",
        "Nothing",
        "无",
        "0",
        "[]",
        "B",
        "Ⓑ",
        "ok",
        '{"answer": "B"}',
        "No visible change.",
        "I can't see any difference.",
        "I do not see any visual change.",
        "I see no images that changed.",
        "I'm unable to see any differences between the two images.",
        "I'm sorry, but I don't see any difference between the images.",
        "Sorry, I can't tell them apart; the images are identical.",
        "The two images appear to be exactly alike.",
        "I can't help but notice that the button is bigger.",
        "The button moved. I'm sorry, I can't help further.",
        "I'm sorry, but I can't help with the second one. The button moved.",
        "I don't see the picture in the second screenshot any more.",
        "I don't see the images in the second screenshot.",
        "The image did not load in the second screenshot.",
        "The images are missing in the second screenshot.",
        "The error message was removed.",
        "Error banner: it is gone.",
        "The 'Error: rate limit' banner is now red.",
        "404 page now says gone",
        "I can't help with that. " * 50,
    ],
}


@pytest.mark.parametrize(("outcome", "text"), [(outcome, text) for outcome, texts in REPLIES.items() for text in texts])
def test_a_reply_that_answers_nothing_is_known(outcome: str | None, text: str) -> None:
    assert unanswered(text) == outcome


@pytest.mark.parametrize(
    "piece", ["i'm sorry, ", "as an ai ", "the the ", "i can't see any ", "error ", "。", "! ", "but, "]
)
def test_every_length_is_read_in_an_instant(piece: str) -> None:
    start = time.process_time()
    for length in range(1, 700, 37):
        unanswered((piece * 700)[:length])
    assert time.process_time() - start < 1
