// The blocks that several owners have: their steps, who has them, where.

const data = await readData();
const [STEPS, OWNERS, REPOSITORIES, SCENARIOS] = [0, 1, 2, 3];
const [REPO, PATH, LINE] = [0, 1, 2];
const blocks = data.blocks.map((row) => ({
  steps: row[STEPS],
  owners: row[OWNERS],
  repositories: row[REPOSITORIES],
  scenarios: row[SCENARIOS],
  words: [...row[STEPS], ...row[OWNERS].map((place) => data.repositories[place[REPO]])].join("\n").toLowerCase(),
}));

function place(one) {
  return el("li", {}, said(data.repositories[one[REPO]]), " ", el("code", { class: "soft" }, `${one[PATH]}:${one[LINE]}`));
}

function details(block) {
  const steps = el("ol", {}, ...block.steps.map((step) => el("li", {}, said(step))));
  const places = el("ul");
  const opened = el("details", {}, el("summary", {}, said(block.steps[0]), ` … ${block.steps.length} steps`), steps, places);
  opened.addEventListener("toggle", () => {
    if (opened.open && !places.childElementCount) places.append(...block.owners.map(place));
  });
  return opened;
}

const table = sortable([
  { name: "Block", value: (block) => block.steps.join("\n"), cell: details },
  { name: "Owners", value: (block) => block.owners.length, number: true },
  { name: "Repositories", value: (block) => block.repositories, number: true },
  { name: "Scenarios", value: (block) => block.scenarios, number: true },
  { name: "Steps", value: (block) => block.steps.length, number: true },
]);
const search = el("input", { type: "search", placeholder: "Words of a step, a repository", "aria-label": "Search" });
const found = el("p", { id: "count", role: "status" });

function update() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = blocks.filter((block) => words.every((word) => block.words.includes(word)));
  found.textContent = count(rows.length, "block");
  table.show(rows);
}
search.addEventListener("input", later(120, update));
document.getElementById("page").append(el("div", { class: "bar", role: "search" }, search, found), table.element);
update();
