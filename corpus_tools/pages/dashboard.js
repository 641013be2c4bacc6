// The dashboard: a row for each repository.

const data = await readData();
const day = (seconds) => new Date(seconds * 1000).toISOString().slice(0, 10);
const PERCENT = new Intl.NumberFormat("en", { style: "percent", minimumFractionDigits: 1, maximumFractionDigits: 1 });

for (const row of data.rows) {
  row.all = row.warnings + row.information + row.hints;
  row.rate = row.steps ? (1000 * row.all) / row.steps : 0;
  const [first, last] = [row.trend[0], row.trend.at(-1)];
  row.change = row.trend.length > 1 ? last[2] - first[2] : 0;
  row.words = [row.repo, ...row.worst.map(([path]) => path)].join("\n").toLowerCase();
}

/** Intents in several wordings over time; its numbers are in its name, for who can't see it. */
function line(row) {
  if (row.trend.length < 2) return el("span", { class: "mark soft" }, "no history");
  const [width, height, edge] = [112, 26, 3];
  const [begin, end] = [row.trend[0][0], row.trend.at(-1)[0]];
  const top = Math.max(1, ...row.trend.map((point) => point[2]));
  const at = ([time, , value]) => [
    edge + ((time - begin) / Math.max(1, end - begin)) * (width - 2 * edge),
    height - edge - (value / top) * (height - 2 * edge),
  ];
  const points = row.trend.map(at);
  const [x, y] = points.at(-1);
  const name = `${day(begin)}: ${row.trend[0][2]}, ${day(end)}: ${row.trend.at(-1)[2]}, most ${top}`;
  const drawn = svg("svg", { class: "line", viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name },
    svg("polyline", { points: points.map((point) => point.map((number) => number.toFixed(1)).join(",")).join(" ") }),
    svg("circle", { cx: x, cy: y, r: 2.2 }));
  const title = svg("title");
  title.textContent = name;
  drawn.prepend(title);
  return drawn;
}

function details(row) {
  const list = el("ul");
  const opened = el("details", {}, el("summary", {}, said(row.repo)), list);
  opened.addEventListener("toggle", () => {
    if (!opened.open || list.childElementCount) return;
    for (const [rule, number] of Object.entries(row.findings)) {
      list.append(el("li", {}, `${NUMBER.format(number)} × ${data.rules[rule] ?? rule}`));
    }
    if (row.first.length) {
      list.append(el("li", {}, "First of them:", el("ul", {}, ...row.first.map((text) => el("li", {}, said(text))))));
    }
    if (row.worst.length) {
      const files = row.worst.map(([path, number]) => el("li", {}, el("code", {}, said(path)), ` · ${count(number, "finding")}`));
      list.append(el("li", {}, "Files with most findings:", el("ul", {}, ...files)));
    }
    list.append(el("li", { class: "soft" }, `${count(row.suites, "suite")}, ${count(row.definitions, "step definition")}, `
      + `${count(row.unread, "place")} not read`));
  });
  return opened;
}

const table = sortable([
  { name: "Repository", value: (row) => row.repo, cell: details },
  { name: "Steps", value: (row) => row.steps, number: true },
  { name: "Wordings", value: (row) => row.wordings, number: true },
  { name: "Repetition", value: (row) => row.repetition, cell: (row) => PERCENT.format(row.repetition), number: true },
  { name: "Warnings", value: (row) => row.warnings, number: true },
  { name: "Findings", value: (row) => row.all, number: true },
  { name: "per 1,000 steps", value: (row) => row.rate, cell: (row) => row.rate.toFixed(1), number: true },
  { name: "Change", value: (row) => row.change, number: true,
    cell: (row) => (row.trend.length > 1 ? `${row.change > 0 ? "+" : ""}${NUMBER.format(row.change)}` : "") },
  { name: "Trend", cell: line },
], 500);
const search = el("input", { type: "search", placeholder: "Words of a repository or of a file", "aria-label": "Search" });
const found = el("p", { id: "count", role: "status" });

function update() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = data.rows.filter((row) => words.every((word) => row.words.includes(word)));
  found.textContent = count(rows.length, "repository", "repositories");
  table.show(rows);
}
search.addEventListener("input", later(120, update));
document.getElementById("page").append(el("div", { class: "bar", role: "search" }, search, found), table.element);
update();
