// What the gallery shows of a multiple-choice question: its options, which one is right, and what each model chose.
// Belongs here: the object that gallery.js asks a protocol for. Does not belong here: filters, lists, images.
startGallery(({ make, known, answered, items, models }) => {
  const readable = (name) => known(name).replaceAll("_", " ");
  const OUTCOMES = {
    c: ["c", "right"],
    m: ["w silent", "missed the change"],
    x: ["w more", "chose a false statement"],
    f: ["w more", "saw a change where there is none"],
    i: ["w invalid", "no clear letter"],
    u: ["u", "unscored or no answer"],
  };
  const has = (letters) => (code) => [...letters].some((letter) => code.includes(letter));

  function choosers(item, letter) {
    const by = models.filter((model) => item.answers[model.id]?.choice === letter);
    if (!by.length) return null;
    return make("span", { class: "choosers" }, by.map((model) =>
      make("span", { class: "model" }, make("span", { class: `dot c${model.color}`, "aria-hidden": "true" }), make("bdi", {}, model.id))));
  }
  function kind(item, letter) {
    const silent = letter === item.no_difference_label;
    if (letter === item.answer) return make("span", { class: "tag right" }, silent ? "✓ right: nothing differs" : "✓ right");
    if (silent) return make("small", {}, "no difference");
    const { strategy, origin } = item.false[letter] ?? {};
    return make("small", { dir: "auto" }, ["false", strategy && `: ${readable(strategy)}`, origin && `, ${origin}`].filter(Boolean).join(""));
  }
  function options(item) {
    return make("ol", { class: "options", "aria-label": "Options" }, Object.entries(item.options).map(([letter, text]) =>
      make("li", { class: letter === item.answer ? "answer-option" : null },
        make("b", { class: "letter" }, letter), make("div", {}, make("span", { dir: "auto" }, text), " ", kind(item, letter), choosers(item, letter)))));
  }

  function verdict(item, given) {
    const { choice, rotated } = given;
    const silent = item.answer === item.no_difference_label;
    let [tag, word] = ["wrong", "✗ chose a false statement"];
    if (choice === undefined) [tag, word] = ["open", `– unscored: ${given.unscored_reason ?? given.outcome}`];
    else if (choice === item.answer) [tag, word] = ["right", "✓ right"];
    else if (choice === "invalid") word = "✗ no clear letter";
    else if (choice === item.no_difference_label) word = "✗ missed the change";
    else if (silent) word = "✗ saw a change where there is none";
    const letter = choice === undefined || choice === "invalid" ? null : make("b", {}, choice, " ");
    return make("div", { class: "verdict" }, make("p", {}, letter, make("span", { class: `tag ${tag}`, dir: "auto" }, word)),
      rotated ? make("p", {}, "With the options rotated, as letters of this question: ", rotated.map((other) => other ?? "–").join(", ")) : null);
  }

  return {
    address: "question",
    unit: "question",
    sides: { names: ["image A", "image B"], alts: ["Image A", "Image B"], images: "images" },
    filters: {
      category: { value: (i) => known(items.category[i]), label: readable },
      group: { value: (i) => known(items.group[i]), label: readable },
      tier: { value: (i) => known(items.tier[i]) },
      domain: { value: (i) => known(items.domain[i]) },
    },
    verdicts: {
      right: ["right", has("c")],
      wrong: ["wrong", has("mxfi")],
      missed: ["missed the change", has("m")],
      competing: ["chose a false statement", has("x")],
      alarm: ["false alarm", has("f")],
      invalid: ["no clear letter", has("i")],
      open: ["unscored or no answer", has("u")],
      split: ["models disagree", (code) => has("c")(code) && has("mxfi")(code), true],
    },
    right: (letter) => letter === "c",
    letter: (letter) => OUTCOMES[letter],
    title: (i) => readable(items.category[i]),
    facts: (i, item) => [readable(item.group), item.domain, item.style, item.language, `pair ${item.pair_id}`,
      item.flipped ? "shown backward" : "shown forward", item.review && `${item.review} by a person`].filter(Boolean).join(" · "),
    words: ({ options: texts, answers, pair_id: pair }) => [pair, ...Object.values(texts), ...Object.values(answers).map(({ text }) => text)],
    prompt: (item, text) => text.replace(/\{([A-D])\}/g, (_, letter) => item.options[letter]),
    truth: (i, item) => [make("h4", {}, "The options"), options(item)],
    answersHeading: "What the models chose",
    answer: (i, item, model, given) => answered(model, given, (text) => [text], given ? verdict(item, given) : null),
  };
});
