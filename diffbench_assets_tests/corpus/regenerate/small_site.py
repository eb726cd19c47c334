"""A small page, a good copy of it, and rows of the crawl that hold them."""

from __future__ import annotations

from typing import Any

from diffbench_assets_tests.models.helpers import png

HOST = "kneadwell.com"

ORIGINAL = """<!DOCTYPE html>
<html lang="en"><head>
<title>Kneadwell | Home</title>
<meta property="og:site_name" content="Kneadwell Bread Works">
<style>body { background: #fff7ed; color: rgb(31, 41, 55) } .hero { background: #ea580c }</style>
<script>track("visitor")</script>
</head><body>
<header class="flex container">
  <img src="/logo.png" width="120" height="40" alt="Kneadwell Bread Works logo">
  <nav><ul><li><a href="/">Home</a></li>
    <li><a href="/menu">Our breads</a></li><li><a href="/c">Contact</a></li></ul></nav>
</header>
<main>
  <section class="hero text-center">
    <h1>Slow bread for people in a hurry</h1>
    <p>We mill our own grain each night and bake it before the <b>first tram</b> leaves the depot.</p>
    <a class="button" href="/order" role="button">Order a loaf</a>
  </section>
  <section class="grid grid-cols-3">
    <div class="card"><img src="1.jpg" width="320" height="200">
      <h3>Rye</h3><p>Dark and sour with a thick crust.</p></div>
    <div class="card"><img src="2.jpg" width="320" height="200">
      <h3>Spelt</h3><p>Light, nutty and good for toast.</p></div>
    <div class="card"><img src="3.jpg" width="320" height="200">
      <h3>Oat</h3><p>Soft slices for a child's lunch.</p></div>
  </section>
</main>
<footer><p>Call (212) 867 4410 or write to orders@kneadwell.com, 2019 - 2024</p></footer>
</body></html>"""

COPY = """<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Hillcrest Pottery</title></head>
<body class="bg-orange-50 text-gray-800">
<header class="flex items-center justify-between px-8 py-4">
  <span class="text-xl font-bold">Hillcrest Pottery</span>
  <nav class="flex gap-6"><a href="#">Home</a><a href="#">Our bowls</a><a href="#">Contact</a></nav>
</header>
<main>
  <section class="bg-[#ea580c] px-8 py-16 text-center text-white">
    <h1 class="text-4xl font-bold">Stoneware shaped by four patient hands</h1>
    <p class="mt-4">Every mug is thrown, dried and glazed in our yard beside the old canal bridge.</p>
    <a href="#" class="mt-6 inline-block rounded-lg bg-white px-6 py-3 text-orange-700">Choose a mug</a>
  </section>
  <section class="grid grid-cols-3 gap-6 p-8">
    <div class="rounded-lg border p-4"><img src="placeholder-320x200-8a6f4b-d9c7a8.svg" alt="A gray mug" class="w-full">
      <h3 class="mt-3 font-semibold">Mugs</h3><p class="text-sm">Thick walls that keep tea warm.</p></div>
    <div class="rounded-lg border p-4"><img src="placeholder-320x200-3b82f6.svg" alt="A blue bowl" class="w-full">
      <h3 class="mt-3 font-semibold">Bowls</h3><p class="text-sm">Wide enough for soup or salad.</p></div>
    <div class="rounded-lg border p-4"><img src="placeholder-320x200.svg" alt="A tall vase" class="w-full">
      <h3 class="mt-3 font-semibold">Vases</h3><p class="text-sm">Tall, matte and never twice alike.</p></div>
  </section>
</main>
<footer class="px-8 py-6 text-sm"><p>Phone (212) 555-0117 or mail hello@example.com</p></footer>
</body></html>"""


def with_body(extra: str) -> str:
    """The good copy with something more in its body."""
    return COPY.replace("</main>", f"{extra}</main>")


def crawled(page_id: str, html: str = ORIGINAL, colour: str = "white", **fields: Any) -> dict[str, Any]:
    """A row of the crawl; the colour of its screenshot tells pages apart."""
    return {
        "url_id": page_id,
        "url": f"https://{HOST}/",
        "final_url": f"https://{HOST}/",
        "host": HOST,
        "html": html,
        "screenshot": {"bytes": png(colour), "path": f"{page_id}.png"},
        "structure_fingerprint": f"structure-of-{page_id}",
        **fields,
    }
