// How far reviewers agree, as tables.
import { ask, make } from "./common.js";

const DECISIONS = ["accept", "rewrite", "discard"];
const MEASURES = { agreement: "decided alike", kappa: "Cohen’s κ", ...Object.fromEntries(DECISIONS.map((d) => [`agreement_${d}`, `alike on ${d}`])) };

export async function fillAgreement(place) {
  const { rows } = await ask("api/agreement");
  const pairs = new Map();
  for (const row of rows) {
    const key = JSON.stringify([row.reviewer_a, row.reviewer_b]);
    pairs.set(key, { ...pairs.get(key), [row.measure]: row });
  }
  const tables = [...pairs.values()].map(ofPair);
  place.replaceChildren(...(tables.length ? tables : [make("p", { class: "quiet" }, "Agreement needs the decisions of two reviewers.")]));
}

function ofPair(measures) {
  const { reviewer_a: a, reviewer_b: b, n, n_excluded: alone } = measures.agreement;
  const head = (words) => make("th", { scope: "col" }, words);
  return make(
    "div",
    { class: "side" },
    make(
      "table",
      {},
      make("caption", {}, `${a} and ${b}: ${n} options decided by both, ${alone} by one`),
      Object.entries(MEASURES).map(([measure, words]) =>
        make("tr", {}, make("th", { scope: "row" }, words), make("td", {}, number(measures[measure].value)), make("td", {}, span(measures[measure]))),
      ),
    ),
    make(
      "table",
      {},
      make("caption", {}, `${a} (down), ${b} (across)`),
      make("tr", {}, make("td"), DECISIONS.map(head)),
      DECISIONS.map((first) =>
        make(
          "tr",
          {},
          make("th", { scope: "row" }, first),
          DECISIONS.map((second) => make("td", {}, String(measures[`count_${first}_${second}`].value))),
        ),
      ),
    ),
  );
}

const number = (value) => (value === null ? "not defined" : value.toFixed(2));
const span = ({ ci_low: low, ci_high: high }) => (low === null ? "" : `${low.toFixed(2)} to ${high.toFixed(2)}`);
