// What the page's scripts share: asking the server, and making elements.

// JSON of `path` below the page's own address; with a body it is posted. Throws an Error with words for the reviewer.
export async function ask(path, body) {
  const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  let answer;
  try {
    answer = await fetch(path, body === undefined ? {} : post);
  } catch {
    throw new Error("Not saved: the server does not answer. Is the review command still running?");
  }
  const document = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(document.error ?? `The server refused (${answer.status}).`);
  return document;
}

// An element; children become text nodes unless they are elements, so no string is ever read as markup.
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === undefined || value === null) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false && child !== ""));
  return element;
}
