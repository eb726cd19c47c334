// The gallery: filters, list, and one pair with its screenshots, truth, answers and verdicts.
// Belongs here: behaviour in the browser. Does not belong here: numbers, which need no script.
// Every string from the data becomes a text node or an attribute value through `make`; nothing is ever parsed as markup.
"use strict";
(() => {
  const $ = (id) => document.getElementById(id);
  const read = (id) => JSON.parse($(id).textContent);
  const index = read("gallery-index");
  const { pairs, models, judges, codes } = index;
  const total = pairs.id.length;
  const PAGE = 40;
  if (!total) return;

  function make(tag, attributes = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === false || value === undefined || value === null) continue;
      if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
      else element.setAttribute(name, value === true ? "" : value);
    }
    element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
    return element;
  }
  const plural = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;
  const known = (value) => value ?? "unknown";

  // Details are parsed block by block, when a pair is shown or the first text search needs them.
  const blocks = new Map();
  function detail(i) {
    const number = Math.floor(i / index.block);
    if (!blocks.has(number)) blocks.set(number, read(`block-${number}`));
    return blocks.get(number)[i % index.block];
  }
  const haystacks = [];
  function haystack(i) {
    if (haystacks[i] === undefined) {
      const { answers, differences } = detail(i);
      const parts = [pairs.id[i], pairs.description[i] ?? ""];
      for (const { target, property, before, after } of differences) {
        parts.push(target.text ?? "", property ?? "", before ?? "", after ?? "");
      }
      for (const { text } of Object.values(answers)) parts.push(text ?? "");
      haystacks[i] = parts.join("\n").toLowerCase();
    }
    return haystacks[i];
  }

  // Filters
  const VERDICTS = {
    "": "any",
    right: "right",
    wrong: "wrong",
    claims: "with false claims",
    open: "unscored or no answer",
    split: "models disagree",
  };
  const fits = {
    right: (code) => /c/i.test(code),
    wrong: (code) => /w/i.test(code),
    claims: (code) => /[CW]/.test(code),
    open: (code) => /u/.test(code),
    split: (code) => /c/i.test(code) && /w/i.test(code),
  };
  const NO_DIFF = "without a change";
  const operatorOf = (i) => pairs.operator[i] ?? NO_DIFF;
  const distinct = (values) => [...new Set(values)].sort();
  const inTierOrder = (values) => {
    const order = ["easy", "medium", "hard"];
    return values.sort((a, b) => (order.indexOf(a) + 1 || 9) - (order.indexOf(b) + 1 || 9) || (a < b ? -1 : 1));
  };
  function fill(select, options, any) {
    if (any) select.append(make("option", { value: "" }, any));
    for (const [value, label] of options) select.append(make("option", { value }, label));
  }
  const same = (values) => values.map((value) => [value, value]);
  fill($("f-operator"), same(distinct(pairs.id.map((_, i) => operatorOf(i)))), "all");
  fill($("f-tier"), same(inTierOrder(distinct(pairs.tier.map(known)))), "all");
  fill($("f-domain"), same(distinct(pairs.domain.map(known))), "all");
  fill($("f-judge"), same(judges.length ? judges : ["none yet"]));
  fill($("f-model"), same(models.map((model) => model.id)), models.length ? "any" : "none yet");
  fill($("f-verdict"), Object.entries(VERDICTS));

  let shown = [];
  let page = 0;
  let current = -1;

  function applyFilters() {
    const [operator, tier, domain, judge, model, verdict] = ["operator", "tier", "domain", "judge", "model", "verdict"]
      .map((name) => $(`f-${name}`).value);
    const text = $("f-text").value.trim().toLowerCase();
    const column = models.findIndex((entry) => entry.id === model);
    const given = codes[judge];
    shown = [];
    for (let i = 0; i < total; i++) {
      if (operator && operatorOf(i) !== operator) continue;
      if (tier && known(pairs.tier[i]) !== tier) continue;
      if (domain && known(pairs.domain[i]) !== domain) continue;
      if (verdict) {
        if (!given) continue;
        const code = column < 0 || verdict === "split" ? given[i] : given[i][column];
        if (!fits[verdict](code)) continue;
      }
      if (text && !haystack(i).includes(text)) continue;
      shown.push(i);
    }
    const at = shown.indexOf(current);
    page = at < 0 ? 0 : Math.floor(at / PAGE);
    renderList();
  }

  const WORDS = { c: "right", w: "wrong", u: "unscored or no answer" };
  function strip(i) {
    const given = codes[$("f-judge").value];
    if (!given) return null;
    const code = [...given[i]];
    const right = code.filter((letter) => letter.toLowerCase() === "c").length;
    const squares = code.map((letter, m) => {
      const kind = letter.toLowerCase();
      const more = letter !== kind;
      return make("i", {
        class: more ? `${kind} more` : kind,
        title: `${models[m].id}: ${WORDS[kind]}${more ? ", with false claims" : ""}`,
      });
    });
    return make("span", { class: "strip", role: "img", "aria-label": `${right} of ${plural(code.length, "model")} right` }, squares);
  }

  function renderList() {
    const pages = Math.max(1, Math.ceil(shown.length / PAGE));
    $("found").textContent = shown.length === total
      ? plural(total, "pair")
      : `${shown.length.toLocaleString("en")} of ${plural(total, "pair")}`;
    const items = shown.slice(page * PAGE, (page + 1) * PAGE).map((i) => make("li", {},
      make("a", { href: hashOf(i), "data-pair": i, "aria-current": i === current ? "true" : null },
        make("strong", {}, title(i)), " ",
        make("span", { class: "tells", dir: "auto" }, pairs.description[i] ?? ""),
        strip(i))));
    $("list").replaceChildren(...items);
    $("list").scrollTop = 0;
    $("page-now").textContent = shown.length ? `${page + 1} of ${pages}` : "nothing fits";
    $("page-back").disabled = page === 0;
    $("page-on").disabled = page + 1 >= pages;
    for (const button of document.querySelectorAll("[data-step]")) {
      const at = shown.indexOf(current) + Number(button.dataset.step);
      button.disabled = at < 0 || at >= shown.length;
    }
  }
  const title = (i) => (pairs.operator[i] ? `${pairs.operator[i]}, ${known(pairs.tier[i])}` : "no change");
  const hashOf = (i) => `#pair=${encodeURIComponent(pairs.id[i])}`;

  function turn(by) {
    page += by;
    renderList();
  }
  function step(by) {
    const at = shown.indexOf(current) + by;
    if (at < 0 || at >= shown.length) return;
    choose(shown[at]);
  }
  // What had the focus is made anew: the same control gets it back, so that the keyboard goes on working.
  function keepingFocus(change) {
    const held = document.activeElement;
    const [inPair, inList] = [$("pair").contains(held), $("list").contains(held)];
    const selector = held?.id ? `#${held.id}` : held?.dataset.step ? `[data-step="${held.dataset.step}"]` : null;
    change();
    const again = inPair ? selector && $("pair").querySelector(`${selector}:not(:disabled)`) : inList && $("list").querySelector("[aria-current]");
    if (inPair || inList) (again || $("pair")).focus({ preventScroll: true });
  }
  function choose(i, place = true) {
    keepingFocus(() => show(i, place));
  }
  function show(i, place) {
    current = i;
    const at = shown.indexOf(i);
    if (at >= 0) page = Math.floor(at / PAGE);
    if (place && location.hash !== hashOf(i)) history.replaceState(null, "", hashOf(i));
    renderPair(i);
    const scrolled = $("list").scrollTop;
    renderList();
    $("list").scrollTop = scrolled;
    const link = $("list").querySelector("[aria-current]");
    if (link) {
      const list = $("list").getBoundingClientRect();
      const box = link.getBoundingClientRect();
      if (box.top < list.top || box.bottom > list.bottom) $("list").scrollTop += box.top - list.top - 40;
    }
  }

  // Screenshots
  const options = { boxes: true, zoom: false, at: 50 };
  let stopWatching = () => {};

  function source(key) {
    if (!index.embedded) return `${$("pair").dataset.folder}/${key}.png`;
    return `data:image/png;base64,${read(`image-${key}`)}`;
  }
  function viewer(item) {
    const { before, after, size, at } = item.shot;
    const [width, height] = size;
    if (!before || !width) return make("p", { class: "missing" }, "No screenshots are stored for this pair.");
    const failed = make("p", { class: "missing", role: "status", hidden: true },
      "The screenshots are not beside this file. Put its image folder there to see them.");
    const picture = (key, label, [left, top] = [0, 0]) => {
      const image = make("img", { alt: label, loading: "lazy", decoding: "async", draggable: "false", onerror: () => { failed.hidden = false; } });
      if (at && key === after) image.style.translate = `${left}px ${top}px`;
      image.src = source(key);
      return image;
    };
    const boxes = item.differences.filter((difference) => difference.box).map(({ box }) => {
      const mark = make("div", { class: "change" });
      Object.assign(mark.style, { left: `${box.x - 3}px`, top: `${box.y - 3}px`, width: `${box.width + 6}px`, height: `${box.height + 6}px` });
      return mark;
    });
    const planes = [
      make("div", { class: "plane" }, picture(before, "Screenshot before")),
      make("div", { class: "plane" },
        at || !after ? picture(before, after ? "" : "Screenshot after, the same picture") : null,
        after ? picture(after, at ? "The part of the screenshot after that differs" : "Screenshot after", at) : null),
      make("div", { class: "plane" }, boxes),
    ];
    const layers = planes.map((plane) => make("div", { class: "layer" }, plane));
    const seam = make("div", { class: "seam" });
    const stage = make("div", { class: "stage" }, layers, seam);
    stage.style.aspectRatio = `${width} / ${height}`;
    const slider = make("input", { type: "range", class: "reel", id: "reel", min: 0, max: 100, step: 1, "aria-label": "Border between before and after" });
    slider.value = options.at;

    const place = () => {
      const value = Number(slider.value);
      options.at = value;
      layers[1].style.clipPath = `inset(0 0 0 ${value}%)`;
      seam.style.left = `calc(${value}% - 1px)`;
      seam.hidden = value === 0 || value === 100;
      slider.setAttribute("aria-valuetext", `before up to ${value} %, after from there`);
    };
    const fit = () => {
      const scale = stage.clientWidth / width;
      let [x, y, by] = [0, 0, scale];
      const box = item.differences.find((difference) => difference.box)?.box;
      if (options.zoom && box) {
        by = Math.max(scale, Math.min(3, 0.6 * Math.min(stage.clientWidth / box.width, stage.clientHeight / box.height)));
        const into = (edge, room, extent) => Math.min(0, Math.max(room - extent * by, room / 2 - edge * by));
        x = into(box.x + box.width / 2, stage.clientWidth, width);
        y = into(box.y + box.height / 2, stage.clientHeight, height);
      }
      stage.classList.toggle("zoomed", by > 1);
      for (const plane of planes) plane.style.transform = `translate(${x}px, ${y}px) scale(${by})`;
      for (const mark of boxes) mark.style.borderWidth = `${2 / by}px`;
    };
    const drag = (event) => {
      if (event.type === "pointermove" && !event.buttons) return;
      const { left, width: room } = stage.getBoundingClientRect();
      slider.value = Math.round((100 * (event.clientX - left)) / room);
      place();
    };
    stage.addEventListener("pointerdown", (event) => { stage.setPointerCapture(event.pointerId); drag(event); });
    stage.addEventListener("pointermove", drag);
    slider.addEventListener("input", place);

    const peek = (on) => { slider.value = on ? 0 : 100; place(); };
    const hold = make("button", { type: "button", id: "hold", onpointerdown: () => peek(true), onpointerup: () => peek(false),
      onpointerleave: (event) => event.buttons && peek(false), onpointercancel: () => peek(false),
      onkeydown: (event) => { if (event.key === " " || event.key === "Enter") { event.preventDefault(); peek(true); } },
      onkeyup: (event) => { if (event.key === " " || event.key === "Enter") { event.preventDefault(); peek(false); } } },
    "Hold to see after");
    viewer.peek = peek;
    const toggle = (name, label, then) => make("label", {}, make("input", { type: "checkbox", id: `show-${name}`, checked: options[name],
      onchange: (event) => { options[name] = event.target.checked; then(); } }), " ", label);
    const mark = () => { layers[2].hidden = !options.boxes; };

    stopWatching();
    const watch = new ResizeObserver(fit);
    watch.observe(stage);
    stopWatching = () => watch.disconnect();
    place();
    mark();
    const whole = make("div", { class: "viewer" }, failed, stage, slider,
      make("div", { class: "sides", "aria-hidden": "true" }, make("span", {}, "before"), make("span", {}, "after")),
      make("div", { class: "controls" }, hold,
        boxes.length ? [toggle("boxes", "Mark the change", mark), toggle("zoom", "Zoom to it", fit)] : null));
    whole.style.width = `${Math.max(width, 320)}px`;
    return whole;
  }

  // One pair
  function row(name, ...value) {
    return make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, value));
  }
  function truth(i, item) {
    if (!item.differences.length) return make("p", {}, "Both screenshots show the same page: there is nothing to find.");
    return item.differences.map(({ kind, target, property, before, after, magnitude, magnitude_unit: unit, description }, k) => {
      const name = [target.tag && `<${target.tag}>`, target.role].filter(Boolean).join(", ");
      return make("div", { class: "scroll" }, make("table", { class: "truth" }, make("tbody", {},
        description && description !== pairs.description[i] ? row("In words", make("span", { dir: "auto" }, description)) : null,
        row(item.differences.length > 1 ? `Change ${k + 1}` : "Operator", kind ?? "unknown", pairs.tier[i] ? `, ${pairs.tier[i]}` : ""),
        row("Element", name || "unknown", target.text ? [" ", make("q", { dir: "auto" }, target.text)] : null, target.location ? `, ${target.location}` : ""),
        row(property ?? "Change", make("bdi", {}, before ?? "–"), " → ", make("bdi", {}, after ?? "–")),
        magnitude === undefined ? null : row("Size", `${Number(magnitude.toPrecision(4))} ${unit ?? ""}`))));
    });
  }

  const escape = (text) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  function find(text, quote) {
    const exact = text.indexOf(quote);
    if (exact >= 0) return [exact, exact + quote.length];
    const words = quote.trim().split(/\s+/).filter(Boolean);
    const loose = words.length ? new RegExp(words.map(escape).join("\\s+"), "i").exec(text) : null;
    return loose ? [loose.index, loose.index + loose[0].length] : null;
  }
  function highlighted(text, quotes) {
    const spans = quotes.map((quote) => find(text, quote)).filter(Boolean).sort((a, b) => a[0] - b[0]);
    const parts = [];
    let done = 0;
    for (const [start, end] of spans) {
      if (end <= done) continue;
      const from = Math.max(start, done);
      parts.push(text.slice(done, from), make("mark", {}, text.slice(from, end)));
      done = end;
    }
    return [...parts, text.slice(done)];
  }

  function verdict(judge, given, text, hasDiff) {
    const claims = given.hallucinations ?? [];
    let [kind, word] = ["open", `– unscored: ${given.unscored_reason ?? "no verdict"}`];
    if (!given.unscored_reason) {
      const right = hasDiff ? given.verdict === "correct" : !claims.length;
      kind = right ? "right" : "wrong";
      word = hasDiff ? (right ? "✓ found it" : "✗ missed it") : (right ? "✓ claims no change" : "✗ invents a change");
    }
    return make("div", { class: "verdict" },
      make("p", {}, "Judge ", make("bdi", {}, judge), ": ", make("span", { class: `tag ${kind}`, dir: "auto" }, word)),
      given.matched && !find(text, given.matched) ? make("p", { dir: "auto" }, "Quoted, but not in the answer shown: ", make("q", {}, given.matched)) : null,
      claims.length ? [make("p", {}, claims.length === 1 ? "One false claim:" : `${claims.length} false claims:`),
        make("ul", {}, claims.map((claim) => make("li", { dir: "auto" }, claim)))] : null,
      given.reasoning ? make("details", {}, make("summary", {}, "Reasoning"), make("p", { dir: "auto" }, given.reasoning, left(given.reasoning, given.reasoning_length))) : null);
  }
  const left = (text, length) => (length ? ` … (${plural(length - text.length, "further character")} left out)` : "");

  function answer(model, given, hasDiff) {
    const name = make("h4", { class: "model" }, make("span", { class: `dot c${model.color}`, "aria-hidden": "true" }), make("bdi", {}, model.id));
    if (!given) return make("section", { class: "answer" }, make("header", {}, name, make("small", {}, "no answer yet")));
    const text = given.text ?? "";
    const facts = [
      given.outcome,
      given.output_tokens !== undefined && plural(given.output_tokens, "token"),
      given.latency_s !== undefined && `${given.latency_s.toFixed(1)} s`,
      given.cost_usd !== undefined && `$${given.cost_usd.toFixed(4)}`,
    ].filter(Boolean).join(" · ");
    const verdicts = judges.filter((judge) => given.verdicts[judge]).map((judge) => [judge, given.verdicts[judge]]);
    const quotes = verdicts.map(([, v]) => v.matched).filter(Boolean);
    return make("section", { class: "answer" },
      make("header", {}, name, make("small", {}, facts)),
      text ? make("div", { class: "said", dir: "auto", tabindex: "0", role: "group", "aria-label": `Answer of ${model.id}` },
        highlighted(text, quotes), left(text, given.text_length)) : make("p", { class: "missing" }, given.error ?? "no text"),
      verdicts.map(([judge, v]) => verdict(judge, v, text, hasDiff)));
  }

  function renderPair(i) {
    const item = detail(i);
    const chosen = $("f-model").value;
    const ordered = [...models].sort((a, b) => (b.id === chosen) - (a.id === chosen));
    const facts = [item.domain, item.style, item.language, item.page_id].filter(Boolean).join(" · ");
    const changed = item.inside_change === undefined || !pairs.operator[i] ? "" : ` · ${(100 * item.inside_change).toFixed(1)} % of the box's pixels differ`;
    $("pair").replaceChildren(
      make("div", { class: "step" },
        make("button", { type: "button", "data-step": -1, "aria-label": "Pair before", title: "Pair before (k)", onclick: () => step(-1) }, "↑"),
        make("button", { type: "button", "data-step": 1, "aria-label": "Next pair", title: "Next pair (j)", onclick: () => step(1) }, "↓")),
      make("h3", {}, title(i)),
      make("p", { class: "where" }, make("a", { href: hashOf(i) }, pairs.id[i]), ` · ${facts}${changed}`),
      viewer(item),
      make("h4", {}, "The truth"),
      pairs.description[i] ? make("p", { dir: "auto" }, pairs.description[i]) : "",
      ...[truth(i, item)].flat(),
      make("h4", {}, models.length ? "What the models said" : "No model has answered yet"),
      ...ordered.map((model) => answer(model, item.answers[model.id], Boolean(pairs.operator[i] ?? item.differences.length))));
  }

  // Events
  function fromHash() {
    if (!location.hash.startsWith("#pair=")) return -1;
    try {
      return pairs.id.indexOf(decodeURIComponent(location.hash.slice(6)));
    } catch {
      return -1; // not a valid address: show the first pair
    }
  }
  $("filters").addEventListener("input", (event) => {
    applyFilters();
    if (event.target.id === "f-model" && current >= 0) choose(current, false);
  });
  $("filters").addEventListener("reset", () => setTimeout(applyFilters));
  $("filters").addEventListener("submit", (event) => event.preventDefault());
  $("page-back").addEventListener("click", () => turn(-1));
  $("page-on").addEventListener("click", () => turn(1));
  $("list").addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    choose(Number(link.dataset.pair));
    if (matchMedia("(max-width: 52rem)").matches) $("pair").scrollIntoView();
  });
  // Single keys work only while the focus is in the gallery, and never while typing.
  const typing = (event) => event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select, [type=search]");
  $("gallery").addEventListener("keydown", (event) => {
    if (typing(event)) return;
    if (event.key === "j") step(1);
    if (event.key === "k") step(-1);
    if (event.key === "f" && !event.repeat) viewer.peek?.(true);
  });
  $("gallery").addEventListener("keyup", (event) => {
    if (event.key === "f" && !typing(event)) viewer.peek?.(false);
  });
  addEventListener("hashchange", () => {
    const i = fromHash();
    if (i >= 0) {
      choose(i, false);
      $("pair").scrollIntoView();
    }
  });

  $("gallery-app").hidden = false;
  const linked = fromHash();
  current = Math.max(0, linked);
  applyFilters();
  choose(current, false);
  if (linked >= 0) $("pair").scrollIntoView();
  document.documentElement.dataset.gallery = "ready";

  // Text for the search is gathered while the page is idle.
  let next = 0;
  const gather = (deadline) => {
    while (next < total && deadline.timeRemaining() > 2) haystack(next++);
    if (next < total) requestIdleCallback(gather);
    else document.documentElement.dataset.search = "ready";
  };
  if ("requestIdleCallback" in window) requestIdleCallback(gather);
})();
