// What both pages share: reading the data, and a table that sorts and grows.

async function readData() {
  const packed = Uint8Array.from(atob(document.getElementById("data").textContent), (sign) => sign.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return JSON.parse(await new Response(stream).text());
}

/** Isolated, so that a text from right to left disturbs nothing around it. */
function said(text) {
  return el("bdi", {}, text);
}

/**
 * A table. `columns`: {name, value(row), cell(row)?, number?, first? ("down" or "up")}. Gives {element, show(rows)}.
 * Rows are shown a page at a time: tens of thousands of them would make any browser slow.
 */
function sortable(columns, page = 100) {
  const body = el("tbody");
  const more = el("button", { type: "button", class: "more", hidden: true }, "");
  const heads = columns.map((column) => {
    const head = el("th", { class: column.number ? "n" : null, scope: "col" });
    head.append(column.value ? el("button", { type: "button", onclick: () => sortBy(column) }, column.name) : column.name);
    return head;
  });
  let all = [];
  let shown = 0;
  let by = null;
  let down = true;

  function compare(a, b) {
    const [one, other] = [by.value(a), by.value(b)];
    const order = typeof one === "string" ? one.localeCompare(other) : one - other;
    return down ? -order : order;
  }
  function sortBy(column) {
    down = by === column ? !down : Boolean(column.number);
    by = column;
    heads.forEach((head, place) => {
      if (columns[place] === by) head.setAttribute("aria-sort", down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    });
    all = [...all].sort(compare);
    redraw();
  }
  function redraw() {
    shown = 0;
    body.replaceChildren();
    grow();
  }
  function grow() {
    const rows = all.slice(shown, shown + page);
    body.append(
      ...rows.map((row) =>
        el(
          "tr",
          {},
          ...columns.map((column) => {
            const cell = column.cell ? column.cell(row) : column.value(row);
            return el("td", { class: column.number ? "n" : null }, typeof cell === "number" ? NUMBER.format(cell) : cell);
          }),
        ),
      ),
    );
    shown += rows.length;
    more.hidden = shown >= all.length;
    more.textContent = `Show more (${NUMBER.format(all.length - shown)} left)`;
  }
  more.addEventListener("click", grow);
  const table = el("table", {}, el("thead", {}, el("tr", {}, ...heads)), body);
  return {
    element: el("div", {}, el("div", { class: "scroll" }, table), more),
    show(rows) {
      all = by ? [...rows].sort(compare) : rows;
      redraw();
    },
    sortBy,
  };
}
