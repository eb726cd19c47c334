// What the gallery shows of an open-ended question: the change that was made, and each answer under every judge.
// Belongs here: the object that gallery.js asks a protocol for. Does not belong here: filters, lists, images.
startGallery(({ make, plural, known, row, left, answered, items, judges }) => {
  function truth(i, item) {
    if (!item.differences.length) return make("p", {}, "Both screenshots show the same page: there is nothing to find.");
    return item.differences.map(({ kind, target, property, before, after, magnitude, magnitude_unit: unit, description }, k) => {
      const name = [target.tag && `<${target.tag}>`, target.role].filter(Boolean).join(", ");
      return make("div", { class: "scroll" }, make("table", { class: "truth" }, make("tbody", {},
        description && description !== items.description[i] ? row("In words", make("span", { dir: "auto" }, description)) : null,
        row(item.differences.length > 1 ? `Change ${k + 1}` : "Operator", kind ?? "unknown", items.tier[i] ? `, ${items.tier[i]}` : ""),
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

  const NO_DIFF = "without a change";
  const TIERS = ["easy", "medium", "hard"];
  const WORDS = { c: "right", w: "wrong", u: "unscored or no answer" };
  return {
    address: "pair",
    unit: "pair",
    sides: { names: ["before", "after"], alts: ["Screenshot before", "Screenshot after"], images: "screenshots" },
    filters: {
      operator: { value: (i) => items.operator[i] ?? NO_DIFF },
      tier: {
        value: (i) => known(items.tier[i]),
        order: (a, b) => (TIERS.indexOf(a) + 1 || 9) - (TIERS.indexOf(b) + 1 || 9) || (a < b ? -1 : 1),
      },
      domain: { value: (i) => known(items.domain[i]) },
    },
    verdicts: {
      right: ["right", (code) => /c/i.test(code)],
      wrong: ["wrong", (code) => /w/i.test(code)],
      claims: ["with false claims", (code) => /[CW]/.test(code)],
      open: ["unscored or no answer", (code) => /u/.test(code)],
      split: ["models disagree", (code) => /c/i.test(code) && /w/i.test(code), true],
    },
    right: (letter) => letter.toLowerCase() === "c",
    letter: (letter) => {
      const kind = letter.toLowerCase();
      return letter === kind ? [kind, WORDS[kind]] : [`${kind} more`, `${WORDS[kind]}, with false claims`];
    },
    title: (i) => (items.operator[i] ? `${items.operator[i]}, ${known(items.tier[i])}` : "no change"),
    facts: (i, item) => [item.domain, item.style, item.language, item.page_id].filter(Boolean).join(" · ")
      + (item.inside_change === undefined || !items.operator[i] ? "" : ` · ${(100 * item.inside_change).toFixed(1)} % of the box's pixels differ`),
    words: ({ answers, differences }) => [
      ...differences.flatMap(({ target, property, before, after }) => [target.text, property, before, after]),
      ...Object.values(answers).map(({ text }) => text),
    ],
    truth: (i, item) => [
      make("h4", {}, "The truth"),
      items.description[i] ? make("p", { dir: "auto" }, items.description[i]) : null,
      truth(i, item),
    ],
    answersHeading: "What the models said",
    answer: (i, item, model, given) => {
      const verdicts = judges.filter((judge) => given?.verdicts[judge]).map((judge) => [judge, given.verdicts[judge]]);
      const quotes = verdicts.map(([, v]) => v.matched).filter(Boolean);
      const hasDiff = Boolean(items.operator[i] ?? item.differences.length);
      return answered(model, given, (text) => highlighted(text, quotes),
        verdicts.map(([judge, v]) => verdict(judge, v, given.text ?? "", hasDiff)));
    },
  };
});
