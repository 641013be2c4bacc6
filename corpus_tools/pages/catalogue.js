// The catalogue: every step, who has it, and how.

const data = await readData();
const [TEXT, KEY, OWNERS, INTENT, BEST] = [0, 1, 2, 3, 4];
const [REPO, USES, SAID, EXPRESSION, LANGUAGE, PATH, LINE, FORM, TEAM] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const entries = data.entries.map((row) => {
  const owners = row[OWNERS];
  const repositories = new Set(owners.map((owner) => data.repositories[owner[REPO]]));
  const forms = formsByLanguage(owners);
  const words = [row[KEY], ...owners.flatMap((owner) => [owner[EXPRESSION], owner[SAID], owner[TEAM]]), ...repositories];
  return {
    text: row[TEXT],
    owners,
    intent: row[INTENT],
    best: row[BEST],
    repositories: repositories.size,
    defining: new Set(owners.filter((owner) => owner[EXPRESSION]).map((owner) => owner[REPO])).size,
    uses: owners.reduce((sum, owner) => sum + owner[USES], 0),
    forms: Math.max(0, ...[...forms.values()].map((each) => each.size)),
    words: words.join("\n").toLowerCase(),
  };
});
const byIntent = Map.groupBy
  ? Map.groupBy(entries.filter((entry) => entry.intent >= 0), (entry) => entry.intent)
  : entries.reduce((map, entry) => {
      if (entry.intent >= 0) map.set(entry.intent, [...(map.get(entry.intent) ?? []), entry]);
      return map;
    }, new Map());

/** What functions of one language do: those of two languages are never alike. */
function formsByLanguage(owners) {
  const forms = new Map();
  for (const owner of owners) {
    if (!owner[FORM]) continue;
    if (!forms.has(owner[LANGUAGE])) forms.set(owner[LANGUAGE], new Set());
    forms.get(owner[LANGUAGE]).add(owner[FORM]);
  }
  return forms;
}

function owner(one) {
  const place = one[PATH] ? el("code", { class: "soft" }, `${one[PATH]}:${one[LINE]}`) : null;
  const how = one[EXPRESSION] ? el("code", {}, said(one[EXPRESSION])) : el("span", { class: "soft" }, "no known step definition");
  const example = one[USES] ? el("span", { class: "soft" }, ", such as ", said(one[SAID])) : null;
  const team = one[TEAM] ? el("span", { class: "soft" }, " ", said(one[TEAM])) : null;
  return el("li", {}, said(data.repositories[one[REPO]]), team, ` · ${count(one[USES], "step")}`, example, " · ", how, " ", place);
}

function details(entry) {
  const others = (byIntent.get(entry.intent) ?? []).filter((other) => other !== entry);
  const list = el("ul");
  const opened = el("details", {}, el("summary", {}, said(entry.text)), list);
  opened.addEventListener("toggle", () => {
    if (!opened.open || list.childElementCount) return;
    list.append(...entry.owners.map(owner));
    if (entry.forms > 1) {
      list.append(el("li", { class: "warn" }, `Its functions are written in ${entry.forms} different ways in one language.`));
    }
    if (entry.forms === 1 && entry.defining > 1) {
      list.append(el("li", { class: "soft" }, "All of its known functions do the same."));
    }
    list.append(...others.map((other) => el("li", {}, other.best ? "Better worded: " : "Reworded: ", said(other.text),
      ` (${count(other.repositories, "repository", "repositories")})`)));
  });
  return el("div", {}, opened, entry.best ? el("span", { class: "mark" }, "best wording") : null);
}

const table = sortable([
  { name: "Step", value: (entry) => entry.text, cell: details },
  { name: "Repositories", value: (entry) => entry.repositories, number: true },
  { name: "Define it", value: (entry) => entry.defining, number: true },
  { name: "Versions of the code", value: (entry) => entry.forms, number: true },
  { name: "Steps", value: (entry) => entry.uses, number: true },
]);
const search = el("input", { type: "search", placeholder: "Words of a step, an expression, a repository, a team", "aria-label": "Search" });
const several = el("input", { type: "checkbox", id: "several" });
const differing = el("input", { type: "checkbox", id: "differing" });
const found = el("p", { id: "count", role: "status" });

function update() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = entries.filter(
    (entry) =>
      (!several.checked || entry.repositories > 1) &&
      (!differing.checked || (entry.forms > 1 && entry.defining > 1)) &&
      words.every((word) => entry.words.includes(word)),
  );
  found.textContent = count(rows.length, "step");
  table.show(rows);
}
search.addEventListener("input", later(120, update));
several.addEventListener("change", update);
differing.addEventListener("change", update);
document.getElementById("page").append(
  el("div", { class: "bar", role: "search" }, search,
    el("label", {}, several, " in several repositories"), el("label", {}, differing, " defined differently"), found),
  table.element,
);
update();
