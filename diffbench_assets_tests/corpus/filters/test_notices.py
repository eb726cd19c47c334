"""Pages that stand in for a page, in several languages; and real pages that only talk about such things."""

from __future__ import annotations

import pytest

from diffbench_assets.corpus.filters import Settings, findings
from diffbench_assets.pages.describe import visible_text
from diffbench_assets.pages.dom import parse


def found(title: str, body: str, status: int | None = None) -> list[str]:
    html = f"<html><head><title>{title}</title></head><body>{body}</body></html>"
    notes = findings(html, visible_text(parse(html)), None, Settings(), status=status)
    return [item.removeprefix("notice:") for item in notes if item.startswith("notice:")]


NOTICES = [
    ("error", "404 Not Found", "nginx/1.18.0"),
    ("error", "Acme | 404", "<h1>Oops</h1>"),
    ("error", "Error 403", ""),
    ("error", "502 Bad Gateway", ""),
    ("error", "Acme", "<h1>Page not found</h1><p>Try the menu.</p>"),
    ("error", "Acme", "The page you are looking for could not be found."),
    ("error", "Seite nicht gefunden – Muster GmbH", ""),
    ("error", "Page introuvable", ""),
    ("error", "Página no encontrada", ""),
    ("error", "Страница не найдена", ""),
    ("error", "页面不存在", ""),
    ("error", "ページが見つかりません", ""),
    ("error", "페이지를 찾을 수 없습니다", ""),
    ("error", "Blog", "Error establishing a database connection"),
    ("parked", "acme.com is for sale", "Make an offer"),
    ("parked", "acme", "This domain is for sale! Buy this domain."),
    ("parked", "acme.de", "Diese Domain steht zum Verkauf"),
    ("parked", "acme.fr", "Ce nom de domaine est à vendre"),
    ("parked", "acme.es", "Este dominio está en venta"),
    ("parked", "acme.cn", "该域名正在出售"),
    ("parked", "acme.ru", "Домен acme.ru продаётся"),
    ("parked", "acme.com", "This web page is parked free, courtesy of the registrar."),
    ("server_default", "Welcome to nginx!", "If you see this page, the nginx web server is successfully installed"),
    ("server_default", "Apache2 Ubuntu Default Page: It works", ""),
    ("server_default", "IIS Windows Server", ""),
    ("server_default", "Index of /backup", "<h1>Index of /backup</h1>"),
    ("bot_wall", "Just a moment...", "Checking your browser before accessing acme.com"),
    ("bot_wall", "Attention Required! | Cloudflare", "Sorry, you have been blocked"),
    ("bot_wall", "acme", "Please verify you are human"),
    ("bot_wall", "acme", '<form id="challenge-form"></form>'),
    ("suspended", "Account Suspended", "This account has been suspended. Contact support."),
    ("placeholder", "Coming Soon", "<h1>Coming soon</h1>"),
    ("placeholder", "Acme – Under construction", ""),
    ("placeholder", "Acme", "Our website is currently undergoing scheduled maintenance."),
    ("placeholder", "Muster", "Diese Seite befindet sich im Aufbau"),
]


@pytest.mark.parametrize(("kind", "title", "body"), NOTICES)
def test_notice(kind: str, title: str, body: str) -> None:
    assert kind in found(title, body)


ARTICLE = "<p>" + "A long story about many things that people may like to read. " * 80 + "</p>"


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("How to fix 404 not found errors", ARTICLE),
        ("Three bedroom house is for sale", "<h1>This house is for sale</h1><p>Near the park</p>"),
        ("Maison est à vendre", "<h1>Maison à vendre</h1>"),
        ("S&P 500: what it means", "<p>Stocks</p>"),
        ("Fiat 500 | Dealer", "<p>Cars</p>"),
        ("Room 404 Records", "<p>Music</p>"),
        ("How it works", "<h1>How it works</h1>"),
        ("Security checks for homes", "<p>We check locks.</p>"),
        ("Garden maintenance", "<h1>Garden maintenance</h1><p>We mow lawns.</p>"),
        ("Domain driven design", "<p>A book on software.</p>"),
        ("Just a moment of calm", "<p>Yoga</p>"),
        ("Cinema", "<h1>Films</h1><h2>Coming soon</h2>" + ARTICLE),
        ("Contact", '<p>Write to us</p><div class="g-recaptcha"></div>'),
    ],
)
def test_pages_that_are_no_notice(title: str, body: str) -> None:
    assert found(title, body) == []


def test_http_status_alone_is_a_notice() -> None:
    assert found("Acme", ARTICLE, 404) == ["status_404"]
    assert found("Acme", ARTICLE, 200) == []


def test_a_notice_between_menu_and_footer_is_still_one() -> None:
    menu = "<nav>" + "<a href=#>Products and services</a> " * 100 + "</nav>"
    assert found("Page not found - Acme", menu) == ["error"]
