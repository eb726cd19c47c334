// The gallery: filters, list, and one item with its two images, truth and answers.
// Belongs here: behaviour in the browser that all protocols share. Does not belong here: numbers, which need no script, and
// what a protocol says of an item and its answers: each supplies that (report.js, choice.js) as an object with
//   unit, address            what an item is called, and its name in the page's address
//   sides                    names and descriptions of the two images as they are shown; `flipped` of an item swaps them
//   filters                  name of a select element → value of an item, the order of the values and how each reads
//   verdicts                 choice of the verdict filter → label, test of codes' letters, whether of all models always
//   (wrong is one of them)
//   right, letter            whether a letter of `codes` is a right answer; the class and title of its square
//   title, facts, words      of an item: heading, the line under it, texts to search in
//   truth, answer            of an item: elements that show what is true, and what one model answered
//   prompt                   of an item and the prompt of all: what was sent, where that is not the prompt itself
//   answersHeading           heading over the answers
// Every string from the data becomes a text node or an attribute value through `make`; nothing is ever parsed as markup.
"use strict";
const startGallery = (protocolOf) => {
  const $ = (id) => document.getElementById(id);
  const read = (id) => JSON.parse($(id).textContent);
  const index = read("gallery-index");
  const { items, models, judges, codes } = index;
  const total = items.id.length;
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
    haystacks[i] ??= [items.id[i], items.description[i], ...protocol.words(detail(i))]
      .filter((part) => part !== undefined && part !== null).join("\n").toLowerCase();
    return haystacks[i];
  }

  const protocol = protocolOf({ make, plural, known, row, left, answered, items, models, judges });
  const Unit = protocol.unit[0].toUpperCase() + protocol.unit.slice(1);

  // Filters
  const distinct = (values) => [...new Set(values)].sort();
  function fill(select, options, any) {
    if (any) select.append(make("option", { value: "" }, any));
    for (const [value, label] of options) select.append(make("option", { value }, label));
  }
  const same = (values) => values.map((value) => [value, value]);
  const filters = Object.entries(protocol.filters).filter(([name]) => $(`f-${name}`));
  for (const [name, { value, order, label = (text) => text }] of filters) {
    const values = distinct(items.id.map((_, i) => value(i)));
    fill($(`f-${name}`), (order ? values.sort(order) : values).map((each) => [each, label(each)]), "all");
  }
  if ($("f-judge")) fill($("f-judge"), same(judges.length ? judges : ["none yet"]));
  fill($("f-model"), same(models.map((model) => model.id)), models.length ? "any" : "none yet");
  if ($("f-but")) fill($("f-but"), same(models.map((model) => model.id)), "–");
  fill($("f-verdict"), Object.entries(protocol.verdicts).map(([value, [label]]) => [value, label]), "any");
  const given = () => codes[$("f-judge")?.value ?? judges[0]];

  let shown = [];
  let page = 0;
  let current = -1;

  function applyFilters() {
    const wanted = filters.map(([name, { value }]) => [$(`f-${name}`).value, value]).filter(([chosen]) => chosen);
    const [model, verdict] = [$("f-model").value, $("f-verdict").value];
    const text = $("f-text").value.trim().toLowerCase();
    const column = models.findIndex((entry) => entry.id === model);
    const other = models.findIndex((entry) => entry.id === $("f-but")?.value);
    const [, fits, always] = protocol.verdicts[verdict] ?? [];
    const [, misses] = protocol.verdicts.wrong;
    const letters = given();
    shown = [];
    for (let i = 0; i < total; i++) {
      if (wanted.some(([chosen, value]) => value(i) !== chosen)) continue;
      if (verdict) {
        if (!letters) continue;
        if (!fits(column < 0 || always ? letters[i] : letters[i][column])) continue;
      }
      if (other >= 0 && !(letters && misses(letters[i][other]))) continue;
      if (text && !haystack(i).includes(text)) continue;
      shown.push(i);
    }
    // What is shown fits, always: the item that was shown where it does, else the first that does.
    if (!shown.includes(current)) show(shown[0] ?? -1);
    else {
      page = Math.floor(shown.indexOf(current) / PAGE);
      renderList();
    }
  }

  // The address holds the item and whatever is filtered, so that a view can be sent to somebody.
  const fields = () => [...$("filters").querySelectorAll("select, input")].map((field) => [field.id.slice(2), field]);
  const initial = (field) => (field.id === "f-judge" ? field.options[0].value : "");
  function tell() {
    const chosen = fields().filter(([, field]) => field.value !== initial(field)).map(([name, { value }]) => [name, value]);
    const said = new URLSearchParams(chosen).toString();
    const address = [current >= 0 ? hashOf(current).slice(1) : "", said].filter(Boolean).join("&");
    if (location.hash.slice(1) !== address) history.replaceState(null, "", `#${address}`);
  }

  // What the squares mean, of those that there are.
  function renderLegend() {
    const letters = [...new Set((given() ?? []).join(""))];
    const kinds = new Map(letters.map((letter) => protocol.letter(letter)).map(([kind, word]) => [kind + word, [kind, word]]));
    $("legend").replaceChildren(...(kinds.size ? [`One square for each model (${models.map(({ id }) => id).join(", ")}): `] : []),
      ...[...kinds.values()].sort().map(([kind, word]) => make("span", { class: "strip" }, make("i", { class: kind }), word)));
  }

  function strip(i) {
    const letters = given();
    if (!letters) return null;
    const code = [...letters[i]];
    const right = code.filter(protocol.right).length;
    const squares = code.map((letter, m) => {
      const [kind, word] = protocol.letter(letter);
      return make("i", { class: kind, title: `${models[m].id}: ${word}` });
    });
    return make("span", { class: "strip", role: "img", "aria-label": `${right} of ${plural(code.length, "model")} right` }, squares);
  }

  function renderList() {
    const pages = Math.max(1, Math.ceil(shown.length / PAGE));
    $("found").textContent = shown.length === total
      ? plural(total, protocol.unit)
      : `${shown.length.toLocaleString("en")} of ${plural(total, protocol.unit)}`;
    const entries = shown.slice(page * PAGE, (page + 1) * PAGE).map((i) => make("li", {},
      make("a", { href: hashOf(i), "data-item": i, "aria-current": i === current ? "true" : null },
        make("strong", {}, protocol.title(i)), " ",
        make("span", { class: "tells", dir: "auto" }, items.description[i] ?? ""),
        strip(i))));
    $("list").replaceChildren(...entries);
    $("list").scrollTop = 0;
    $("page-now").textContent = shown.length ? `${page + 1} of ${pages}` : "nothing fits";
    $("page-back").disabled = page === 0;
    $("page-on").disabled = page + 1 >= pages;
    for (const button of document.querySelectorAll("[data-step]")) {
      const at = shown.indexOf(current) + Number(button.dataset.step);
      button.disabled = at < 0 || at >= shown.length;
    }
  }
  const hashOf = (i) => `#${protocol.address}=${encodeURIComponent(items.id[i])}`;

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
  function choose(i) {
    keepingFocus(() => show(i));
    tell();
  }
  function show(i) {
    current = i;
    const at = shown.indexOf(i);
    page = Math.max(0, Math.floor(at / PAGE));
    if (i < 0) $("pair").replaceChildren(make("p", { class: "missing" }, `No ${protocol.unit} fits these filters.`));
    else renderItem(i);
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
    const { names, alts, images } = protocol.sides;
    const [first, second] = item.flipped ? [1, 0] : [0, 1];
    if (!before || !width) return make("p", { class: "missing" }, `No ${images} are stored for this pair.`);
    const failed = make("p", { class: "missing", role: "status", hidden: true },
      `The ${images} are not beside this file. Put its image folder there to see them.`);
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
    const pictures = [
      make("div", { class: "plane" }, picture(before, alts[first])),
      make("div", { class: "plane" },
        at || !after ? picture(before, after ? "" : `${alts[second]}, the same picture`) : null,
        after ? picture(after, at ? `The part of the ${alts[second][0].toLowerCase()}${alts[second].slice(1)} that differs` : alts[second], at) : null),
    ];
    const planes = [pictures[first], pictures[second], make("div", { class: "plane" }, boxes)];
    const layers = planes.map((plane) => make("div", { class: "layer" }, plane));
    const seam = make("div", { class: "seam" });
    // The left of the border shows what the slider has come to, the right what it came from.
    const sides = [1, 0].map((side) => make("span", { class: "side", "aria-hidden": "true" }, names[side]));
    const stage = make("div", { class: "stage" }, layers, seam, sides);
    stage.style.aspectRatio = `${width} / ${height}`;
    const slider = make("input", { type: "range", class: "reel", id: "reel", min: 0, max: 100, step: 1, "aria-label": `Border between ${names[0]} and ${names[1]}` });
    slider.value = options.at;

    const place = () => {
      options.at = Number(slider.value);
      slider.setAttribute("aria-valuetext", `${options.at} % ${names[1]}`);
      reveal(options.at);
    };
    const reveal = (value) => {
      layers[1].style.clipPath = `inset(0 ${100 - value}% 0 0)`;
      seam.style.left = `calc(${value}% - 1px)`;
      seam.hidden = value === 0 || value === 100;
      sides[0].hidden = value < 10;
      sides[1].hidden = value > 90;
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

    const peek = (on) => reveal(on ? 100 : options.at);
    const hold = make("button", { type: "button", id: "hold", onpointerdown: () => peek(true), onpointerup: () => peek(false),
      onpointerleave: (event) => event.buttons && peek(false), onpointercancel: () => peek(false),
      onkeydown: (event) => { if (event.key === " " || event.key === "Enter") { event.preventDefault(); peek(true); } },
      onkeyup: (event) => { if (event.key === " " || event.key === "Enter") { event.preventDefault(); peek(false); } } },
    `Hold to see ${names[1]}`);
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
      make("div", { class: "ends", "aria-hidden": "true" }, names.map((name) => make("span", {}, name))),
      make("div", { class: "controls" }, hold,
        boxes.length ? [toggle("boxes", "Mark the change", mark), toggle("zoom", "Zoom to it", fit)] : null,
        make("small", { class: "keys" }, "Keys: ", make("kbd", {}, "j"), " ", make("kbd", {}, "k"), ` next and last ${protocol.unit}, hold `, make("kbd", {}, "f"), ` for ${names[1]}`)));
    whole.style.width = `${Math.max(width, 320)}px`;
    return whole;
  }

  // One item
  function row(name, ...value) {
    return make("tr", {}, make("th", { scope: "row" }, name), make("td", {}, value));
  }
  function left(text, length) {
    return length ? ` … (${plural(length - text.length, "further character")} left out)` : "";
  }
  // The head of an answer and what was said; a protocol adds its verdict.
  function answered(model, given, spoken, ...verdicts) {
    const name = make("h4", { class: "model" }, make("span", { class: `dot c${model.color}`, "aria-hidden": "true" }), make("bdi", {}, model.id));
    if (!given) return make("section", { class: "answer" }, make("header", {}, name, make("small", {}, "no answer yet")));
    const facts = [
      given.outcome,
      given.output_tokens !== undefined && plural(given.output_tokens, "token"),
      given.latency_s !== undefined && `${given.latency_s.toFixed(1)} s`,
      given.cost_usd !== undefined && `$${given.cost_usd.toFixed(4)}`,
    ].filter(Boolean).join(" · ");
    return make("section", { class: "answer" },
      make("header", {}, name, make("small", {}, facts)),
      given.text ? make("div", { class: "said", dir: "auto", tabindex: "0", role: "group", "aria-label": `Answer of ${model.id}` },
        spoken(given.text), left(given.text, given.text_length)) : make("p", { class: "missing" }, given.error ?? "no text"),
      verdicts);
  }

  // What every model was sent, images in their places.
  function asked(item) {
    if (!index.prompt) return null;
    const text = protocol.prompt ? protocol.prompt(item, index.prompt) : index.prompt;
    return make("details", {}, make("summary", {}, "The prompt as sent"), make("div", { class: "prompt", dir: "auto" }, text));
  }

  function renderItem(i) {
    const item = detail(i);
    const chosen = $("f-model").value;
    const ordered = [...models].sort((a, b) => (b.id === chosen) - (a.id === chosen));
    $("pair").replaceChildren(
      make("div", { class: "step" },
        make("button", { type: "button", "data-step": -1, "aria-label": `${Unit} before`, title: `${Unit} before (k)`, onclick: () => step(-1) }, "↑"),
        make("button", { type: "button", "data-step": 1, "aria-label": `Next ${protocol.unit}`, title: `Next ${protocol.unit} (j)`, onclick: () => step(1) }, "↓")),
      make("h3", {}, protocol.title(i)),
      make("p", { class: "where" }, make("a", { href: hashOf(i) }, items.id[i]), ` · ${protocol.facts(i, item)}`),
      viewer(item),
      ...[protocol.truth(i, item)].flat(Infinity).filter(Boolean),
      asked(item),
      make("h4", {}, models.length ? protocol.answersHeading : "No model has answered yet"),
      make("div", { class: "answers" }, ordered.map((model) => protocol.answer(i, item, model, item.answers[model.id]))));
  }

  // Events
  // Takes item and filters from the address; false where it names neither.
  function fromHash() {
    const said = new URLSearchParams(location.hash.slice(1));
    const linked = items.id.indexOf(said.get(protocol.address) ?? "");
    const named = fields().filter(([name]) => said.has(name));
    if (linked < 0 && !named.length) return false;
    for (const [name, field] of fields()) {
      const value = said.get(name) ?? initial(field);
      field.value = field.options && ![...field.options].some((option) => option.value === value) ? initial(field) : value;
    }
    if (linked >= 0) current = linked;
    filtered();
    show(current);
    return true;
  }
  function filtered() {
    applyFilters();
    renderLegend();
  }
  $("filters").addEventListener("input", (event) => {
    filtered();
    if (event.target.id === "f-model" && current >= 0) show(current);
    tell();
  });
  $("filters").addEventListener("reset", () => setTimeout(() => {
    filtered();
    tell();
  }));
  $("filters").addEventListener("submit", (event) => event.preventDefault());
  $("page-back").addEventListener("click", () => turn(-1));
  $("page-on").addEventListener("click", () => turn(1));
  $("list").addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    choose(Number(link.dataset.item));
    if (matchMedia("(max-width: 52rem)").matches) $("pair").scrollIntoView();
  });
  // Single keys work while the focus is in the gallery, or nowhere and the gallery is in view; never while typing.
  const inView = () => {
    const { top, bottom } = $("gallery").getBoundingClientRect();
    return top < innerHeight / 2 && bottom > innerHeight / 2;
  };
  const meant = (event) => !(event.ctrlKey || event.metaKey || event.altKey || event.target.matches("select, [type=search]"))
    && ($("gallery").contains(event.target) || (event.target === document.body && inView()));
  addEventListener("keydown", (event) => {
    if (!meant(event)) return;
    if (event.key === "j") step(1);
    if (event.key === "k") step(-1);
    if (event.key === "f" && !event.repeat) viewer.peek?.(true);
  });
  addEventListener("keyup", (event) => {
    if (event.key === "f" && meant(event)) viewer.peek?.(false);
  });
  addEventListener("hashchange", () => {
    if (fromHash()) $("gallery").scrollIntoView();
  });

  $("gallery-app").hidden = false;
  current = 0;
  if (fromHash()) $("gallery").scrollIntoView();
  else filtered();
  if (!$("pair").childElementCount) show(current);
  document.documentElement.dataset.gallery = "ready";

  // Text for the search is gathered while the page is idle.
  let next = 0;
  const gather = (deadline) => {
    while (next < total && deadline.timeRemaining() > 2) haystack(next++);
    if (next < total) requestIdleCallback(gather);
    else document.documentElement.dataset.search = "ready";
  };
  if ("requestIdleCallback" in window) requestIdleCallback(gather);
};
