// Options and decisions: what is shown, what the keys do, what is saved.
// Belongs here: the question at hand. Does not belong here: images (viewer.js), agreement (agreement.js).
// Every string from the lake becomes a text node or an attribute value through `make`; nothing is parsed as markup.
import { fillAgreement } from "./agreement.js";
import { ask, make } from "./common.js";
import { makeViewer } from "./viewer.js";

const $ = (id) => document.getElementById(id);
const DONE = { accept: "✓ accepted", rewrite: "✎ rewritten", discard: "✕ discarded" };

const viewer = makeViewer(document.querySelector(".viewer"));
const decisions = new Map(); // question id and option hash → row
let questions = [];
let at = 0; // index of the question shown
let chosen = 0; // index of the option chosen
let editing = false;

const keyOf = (question, option) => `${question.question_id} ${option.sha256}`;
const decided = (question, option) => decisions.get(keyOf(question, option));
const open = (question) => question.options.filter((option) => !option.fixed && !decided(question, option));
const keep = (row) => decisions.set(`${row.question_id} ${row.option_sha256}`, row);

// One thing after another: a key pressed while a decision is being saved waits for it.
let work = Promise.resolve();
function act(step) {
  work = work.then(step).then(
    () => ($("problem").hidden = true),
    (error) => {
      $("problem").textContent = error.message;
      $("problem").hidden = false;
    },
  );
}
const say = (words) => ($("status").textContent = words);

async function start() {
  const { suite, reviewer, questions: all, decisions: rows } = await ask("api/everything");
  questions = all;
  rows.forEach(keep);
  document.title = `Review ${suite}`;
  $("suite").textContent = suite;
  $("reviewer").textContent = reviewer;
  document.querySelector("main").hidden = false;
  const named = decodeURIComponent(location.hash.slice(1));
  const found = questions.findIndex((question) => question.question_id === named);
  go(found >= 0 ? found : Math.max(0, nextOpen(-1)));
}

function nextOpen(from) {
  for (let step = 1; step <= questions.length; step += 1) {
    const i = (from + step) % questions.length;
    if (open(questions[i]).length) return i;
  }
  return -1;
}

function go(index) {
  at = Math.min(Math.max(index, 0), questions.length - 1);
  const question = questions[at];
  const first = question.options.findIndex((option) => !option.fixed && !decided(question, option));
  chosen = first >= 0 ? first : question.options.findIndex((option) => !option.fixed);
  editing = false;
  history.replaceState(null, "", `#${encodeURIComponent(question.question_id)}`);
  const urls = imagesOf(question);
  viewer.show(urls, question.sides);
  if (at + 1 < questions.length) imagesOf(questions[at + 1]).forEach((url) => (new Image().src = url));
  showQuestion(question);
  showOptions();
  scrollTo(0, 0);
}

function imagesOf(question) {
  return question.sides.map((side) => `image?${new URLSearchParams({ pair: question.pair_id, side })}`);
}

function showQuestion(question) {
  const facts = [question.cell, question.category, question.group].filter((fact, i, all) => fact && all.indexOf(fact) === i);
  const shown = question.order === "backward" ? ["shown backward"] : [];
  $("about").textContent = [`Question ${at + 1} of ${questions.length}`, ...facts, ...shown].join(" · ");
  const suspects = question.options.filter((option) => option.suspected).length;
  $("flag").hidden = !suspects;
  $("flag").textContent = suspects === 1 ? "⚑ One false statement may be true" : `⚑ ${suspects} false statements may be true`;
  const truth = question.options.find((option) => option.role === "true");
  $("truth").textContent = truth.fixed ? "Nothing differs: the pair is one image twice." : truth.text;
}

function showOptions() {
  const question = questions[at];
  const done = questions.filter((one) => !open(one).length).length;
  $("progress").textContent = `${done.toLocaleString("en")} of ${questions.length.toLocaleString("en")} reviewed`;
  [$("bar").max, $("bar").value] = [questions.length, done];
  $("options").replaceChildren(...question.options.map((option, i) => row(question, option, i)));
  const input = document.querySelector(".edit");
  input?.focus();
  input?.setSelectionRange(input.value.length, input.value.length);
}

function row(question, option, i) {
  const decision = decided(question, option);
  const isChosen = i === chosen;
  return make(
    "li",
    { "aria-current": isChosen && "true", onclick: () => !isChosen && act(() => choose(i)) },
    make("span", { class: "label" }, option.label),
    isChosen && editing ? editor(question, option, decision) : make("div", { class: "text" }, wording(option, decision), known(option)),
    make("div", { class: "acts" }, isChosen && !option.fixed && !editing && buttons(), state(option, decision)),
  );
}

function wording(option, decision) {
  if (decision?.decision === "rewrite") return [make("del", {}, option.text), make("ins", {}, decision.rewritten)];
  return decision?.decision === "discard" ? make("del", {}, option.text) : option.text;
}

function known(option) {
  if (option.role === "no_difference") return make("span", { class: "known" }, "stands in every question");
  const facts = [option.strategy?.replaceAll("_", " "), option.origin].filter(Boolean).join(" · ");
  return make(
    "span",
    { class: "known" },
    make("span", { class: option.role }, option.role),
    facts && ` · ${facts}`,
    option.suspected && [" ", make("mark", {}, "may be true")],
  );
}

function state(option, decision) {
  if (option.fixed) return make("span", { class: "decided quiet" }, "fixed");
  return make("span", { class: `decided ${decision?.decision ?? "quiet"}` }, DONE[decision?.decision] ?? "open");
}

function buttons() {
  const button = (words, key, step) =>
    make("button", { type: "button", onclick: (event) => (event.stopPropagation(), act(step)) }, words, make("kbd", {}, key));
  return [
    button("Accept", "a", () => decide("accept")),
    button("Rewrite", "r", edit),
    button("Discard", "d", () => decide("discard")),
  ];
}

function editor(question, option, decision) {
  const complaint = make("span", { class: "complaint", role: "alert" });
  const input = make("textarea", {
    class: "edit",
    rows: 2,
    "aria-label": `New wording of option ${option.label}`,
    onkeydown: (event) => {
      if (event.key === "Enter" && !event.isComposing) {
        event.preventDefault();
        act(() => decide("rewrite", input.value).catch((error) => (complaint.textContent = error.message)));
      } else if (event.key === "Escape") {
        event.preventDefault();
        act(stopEditing);
      }
      event.stopPropagation();
    },
  });
  input.value = decision?.rewritten ?? option.text;
  return make("div", { class: "text" }, input, complaint, known(option));
}

function choose(i) {
  if (i >= questions[at].options.length) return;
  chosen = i;
  editing = false;
  showOptions();
}

function edit() {
  if (questions[at].options[chosen].fixed) return sayFixed();
  editing = true;
  showOptions();
}

function stopEditing() {
  editing = false;
  showOptions();
}

const sayFixed = () => say("This statement stands in every question; there is nothing to decide.");

async function decide(decision, rewritten) {
  const option = questions[at].options[chosen];
  if (option.fixed) return sayFixed();
  await save([option], decision, rewritten);
}

async function acceptOpen() {
  const options = open(questions[at]);
  if (options.length) await save(options, "accept");
}

async function save(options, decision, rewritten) {
  const question = questions[at];
  const wasOpen = open(question).length > 0;
  const choices = options.map((option) => ({
    question_id: question.question_id,
    option_sha256: option.sha256,
    decision,
    ...(rewritten === undefined ? {} : { rewritten }),
  }));
  const { decisions: rows } = await ask("api/decisions", { decisions: choices });
  rows.forEach(keep);
  editing = false;
  const left = open(question);
  const letters = options.map((option) => option.label).join(", ");
  say(`Option ${letters}: ${DONE[decision].slice(2)}.`);
  if (left.length) chosen = question.options.indexOf(left[0]);
  else if (wasOpen && nextOpen(at) >= 0) return go(nextOpen(at));
  showOptions();
}

async function undo() {
  const { undone, decisions: rows } = await ask("api/undo", {});
  if (!undone.length) return say("There is nothing to undo.");
  decisions.clear();
  rows.forEach(keep);
  const [[questionId, hash]] = undone;
  const index = questions.findIndex((question) => question.question_id === questionId);
  if (index >= 0) {
    if (index !== at) go(index);
    const option = questions[index].options.findIndex((one) => one.sha256 === hash);
    if (option >= 0) chosen = option;
  }
  say("Undone.");
  showOptions();
}

function help() {
  if ($("keys").open) $("keys").close();
  else $("keys").showModal();
}

const KEYS = {
  j: () => go(at + 1),
  k: () => go(at - 1),
  a: () => decide("accept"),
  A: acceptOpen,
  r: edit,
  d: () => decide("discard"),
  u: undo,
  f: viewer.flicker,
  o: viewer.overlay,
  z: viewer.zoom,
  "?": help,
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || ($("keys").open && event.key !== "?")) return;
  const step = /^[1-4]$/.test(event.key) ? () => choose(Number(event.key) - 1) : KEYS[event.key];
  if (!step) return;
  event.preventDefault();
  act(step);
});
$("previous").addEventListener("click", () => act(KEYS.k));
$("next").addEventListener("click", () => act(KEYS.j));
$("undo").addEventListener("click", () => act(undo));
$("help").addEventListener("click", () => act(help));
$("agreement").addEventListener("toggle", () => $("agreement").open && act(() => fillAgreement($("agreement").lastElementChild)));
act(start);
