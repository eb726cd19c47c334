startGallery(({ make, answered, items }) => ({
  address: "item",
  unit: "item",
  sides: { names: ["first", "second"], alts: ["First image", "Second image"], images: "images" },
  filters: { order: { value: (i) => items.order[i] } },
  verdicts: {
    right: ["right", (code) => code.includes("c")],
    wrong: ["wrong", (code) => code.includes("w")],
  },
  right: (letter) => letter === "c",
  letter: (letter) => ({ c: ["c", "right"], w: ["w more", "wrong"], u: ["u", "unscored"] })[letter],
  title: (i) => items.id[i],
  facts: (i) => items.order[i],
  words: ({ answers }) => Object.values(answers).map(({ text }) => text),
  truth: () => [],
  answersHeading: "What the models said",
  answer: (i, item, model, given) => answered(model, given, (text) => [text],
    given ? Object.entries(given.closeness).map(([judge, score]) => make("p", { class: "closeness" }, `${judge}: ${score.toFixed(2)}`)) : null),
}));
