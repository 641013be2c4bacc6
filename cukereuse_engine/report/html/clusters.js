// Clusters: every group of texts that are held to be one, with its places behind a row.

const CLUSTER_HEADS = [
  ["occurrences", "Steps", "number"],
  ["text", "Canonical phrasing", ""],
  ["", "Kind", ""],
  ["texts", "Texts", "number"],
  ["files", "Files", "number"],
  ["savings", "Savings", "number"],
];

/** What the kinds of clusters and findings mean. */
const KINDS = {
  exact: "All steps have the same text.",
  parametric: "The steps differ only in their arguments.",
  reworded: "The steps say nearly the same words.",
  paraphrase: "The steps say other words with the same meaning.",
};

function clusterTable(filter, actions) {
  const heads = CLUSTER_HEADS.map(([key, label, className]) => {
    const sorted = key && filter.clusterSort === key;
    return el(
      "th",
      { scope: "col", class: className, "aria-sort": sorted ? (key === "text" ? "ascending" : "descending") : undefined },
      key ? el("button", { type: "button", "data-sort": key, onclick: () => actions.sortClusters(key) }, label) : label,
    );
  });
  return el("table", { class: "clusters" }, el("thead", {}, el("tr", {}, heads)), el("tbody"));
}

function clusterRows(data, number, open = false) {
  const { clusters } = data;
  const detail = el("tr", { class: "detail", hidden: true });
  const button = el("button", { type: "button", class: "expand", "aria-expanded": "false" }, stepText(clusters.texts[number][0]));
  const toggle = () => {
    if (!detail.firstChild) detail.append(el("td", { colspan: 6 }, clusterDetail(data, number)));
    detail.hidden = !detail.hidden;
    button.setAttribute("aria-expanded", String(!detail.hidden));
  };
  button.addEventListener("click", toggle);
  const kind = data.kinds[clusters.kind[number]];
  const numberCell = (label, value) => el("td", { class: "number", "data-label": label }, NUMBER.format(value));
  const row = el(
    "tr",
    { class: "cluster" },
    numberCell("steps", clusters.occurrences[number]),
    el("td", { class: "text" }, button),
    el("td", {}, el("span", { class: `kind ${kind}`, title: KINDS[kind] }, kind)),
    numberCell("texts", clusters.textCount[number]),
    numberCell("files", clusters.files[number]),
    numberCell("saved", Math.round(clusters.savings[number])),
  );
  if (open) toggle();
  return [row, detail];
}

function clusterDetail(data, number) {
  const { clusters } = data;
  const texts = clusters.texts[number];
  const box = el("div", { class: "texts" });
  box.append(reasonLine(data, clusters.reasons[number]) ?? "");
  if (data.suites.length > 1) box.append(el("p", { class: "reasons" }, el("bdi", {}, shown(data.suites[clusters.suite[number]].root))));
  const held = texts.length / 2;
  const row = (i) => {
    const title = el("p", { class: "text-title" }, stepText(texts[2 * i], i ? texts[0] : null));
    title.append(el("span", { class: "times" }, `${NUMBER.format(texts[2 * i + 1])}×`));
    return [title, placeList(data, clusters.places[number][i], texts[2 * i + 1], held > 1 ? 3 : 10)];
  };
  const list = el("div");
  box.append(list, paged(list, Array.from({ length: held }, (_, i) => i), row, "text"));
  const missing = clusters.textCount[number] - held;
  if (missing > 0) box.append(el("p", {}, `${count(missing, "more text")} ${missing === 1 ? "is" : "are"} in the JSON report.`));
  return box;
}
