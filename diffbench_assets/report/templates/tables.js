// Tables: columns that sort, and cells that know their heading, for narrow screens where a row becomes a list.
// Belongs here: behaviour of tables that are whole without it. Does not belong here: the gallery.
"use strict";
for (const table of document.querySelectorAll("table.board, table.list")) {
  const heads = [...table.tHead.rows[table.tHead.rows.length - 1].cells].flatMap((head) => Array(head.colSpan).fill(head));
  if (table.tHead.rows.length > 1) continue;
  for (const row of table.tBodies ? [...table.tBodies].flatMap((body) => [...body.rows]) : []) {
    if (row.cells.length < heads.length) continue;
    [...row.cells].forEach((cell, k) => cell.classList.contains("plot") || (cell.dataset.label = heads[k].textContent));
  }
  table.classList.add("cards");
  const number = (cell) => {
    const read = Number.parseFloat((cell.querySelector("b") ?? cell).textContent.replaceAll(",", "").replace("−", "-").replace(/^[<$+]\s*/, ""));
    return Number.isNaN(read) ? null : read;
  };
  for (const head of new Set(heads)) {
    const at = heads.indexOf(head);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "sort";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      // Numbers start with the largest, names with A.
      const numeric = head.classList.contains("num") || head.colSpan > 1;
      const before = head.getAttribute("aria-sort");
      const order = before ? (before === "ascending" ? "descending" : "ascending") : numeric ? "descending" : "ascending";
      for (const other of heads) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", order);
      const sign = order === "ascending" ? 1 : -1;
      for (const body of table.tBodies) {
        const rows = [...body.rows].filter((row) => row.cells.length >= heads.length);
        const keyed = rows.map((row) => [numeric ? number(row.cells[at]) : row.cells[at].textContent.trim(), row]);
        keyed.sort(([a], [b]) => (a === null) - (b === null) || sign * (numeric ? a - b : a.localeCompare(b)));
        body.append(...keyed.map(([, row]) => row));
      }
    });
  }
}
