// The report's data, unpacked once, with what search needs.

async function load() {
  const packed = atob(document.getElementById("data").textContent.trim());
  const bytes = Uint8Array.from(packed, (character) => character.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return prepare(JSON.parse(await new Response(stream).text()));
}

const PLACE_FIELDS = 5;

function prepare(data) {
  const { clusters, findings, paths } = data;
  data.clusterCount = clusters.id.length;
  data.lowerPaths = paths.map((path) => path.toLowerCase());
  // One string to search for each cluster and finding: its texts. Paths are searched by number.
  data.clusterWords = clusters.texts.map((texts) => texts.filter((_, i) => i % 2 === 0).join("\n").toLowerCase());
  data.findingWords = findings.map((finding) =>
    subjectsOf(finding)
      .flatMap((side) => [side.text, ...side.definitions.map((definition) => definition[3])])
      .join("\n")
      .toLowerCase(),
  );
  data.blockWords = data.blocks.map((block) => block.steps.map(([, text]) => text).join("\n").toLowerCase());
  data.rules = new Map(data.rules.map(([id, title, help, ofBlocks]) => [id, { title, help, ofBlocks }]));
  data.clusterById = new Map(clusters.id.map((id, i) => [`${clusters.suite[i]} ${id}`, i]));
  return data;
}

function usesPath(places, wanted) {
  for (let i = 0; i < places.length; i += PLACE_FIELDS) if (wanted[places[i]]) return true;
  return false;
}

/** A predicate for a query: every word must stand in the texts or in a path. */
function matcher(data, query) {
  const words = query.toLowerCase().split(/\s+/u).filter(Boolean);
  const byPath = words.map((word) => {
    const wanted = new Uint8Array(data.paths.length);
    let any = false;
    data.lowerPaths.forEach((path, i) => {
      if (path.includes(word)) any = wanted[i] = 1;
    });
    return any ? wanted : null;
  });
  return (text, lists) =>
    words.every(
      (word, i) => text.includes(word) || (byPath[i] !== null && lists.some((places) => usesPath(places, byPath[i]))),
    );
}

/** Numbers of the findings that pass, in the report's order: the gravest first. */
function chosenFindings(data, filter) {
  const matches = matcher(data, filter.query);
  const numbers = [];
  data.findings.forEach((finding, i) => {
    if (filter.suite !== null && finding.suite !== filter.suite) return;
    if (filter.kinds.size && !filter.kinds.has(finding.kind)) return;
    if (filter.rules.size && !filter.rules.has(finding.rule)) return;
    const places = finding.others.map((other) => other.places);
    if (filter.path !== null && !places.some((some) => usesPath(some, { [filter.path]: 1 }))) return;
    if (matches(data.findingWords[i], places)) numbers.push(i);
  });
  return sortedFindings(data, numbers, filter.findingSort);
}

const FINDING_ORDERS = {
  grave: null,
  sure: (a, b) => (b.confidence ?? 1) - (a.confidence ?? 1),
  used: (a, b) => stepsToChange(b) - stepsToChange(a),
  preferred: (a, b) => (b.preferred?.n ?? 0) - (a.preferred?.n ?? 0),
};

/** The preferred one first. */
function subjectsOf(finding) {
  return [finding.preferred, ...finding.others].filter((side) => side !== null);
}

function stepsToChange(finding) {
  return finding.others.reduce((total, other) => total + other.n, 0);
}

function sortedFindings(data, numbers, sort) {
  const compare = FINDING_ORDERS[sort];
  return compare ? numbers.sort((a, b) => compare(data.findings[a], data.findings[b]) || a - b) : numbers;
}

const CLUSTER_ORDERS = {
  wordings: (c) => c.wordings,
  occurrences: (c) => c.occurrences,
  files: (c) => c.files,
  savings: (c) => c.savings,
  texts: (c) => c.textCount,
};

/** All clusters in one order, computed once for each key. `text` is alphabetical, `report` as the engine ranked them. */
function clusterOrder(data, sort) {
  data.orders ??= new Map();
  if (!data.orders.has(sort)) {
    const numbers = Array.from({ length: data.clusterCount }, (_, i) => i);
    if (sort === "text") {
      const collator = new Intl.Collator("en", { numeric: true });
      const texts = data.clusters.texts;
      numbers.sort((a, b) => collator.compare(texts[a][0], texts[b][0]) || a - b);
    } else if (sort !== "report") {
      const key = CLUSTER_ORDERS[sort](data.clusters);
      numbers.sort((a, b) => key[b] - key[a] || a - b);
    }
    data.orders.set(sort, numbers);
  }
  return data.orders.get(sort);
}

/** Numbers of the clusters that pass, in the filter's order. */
function chosenClusters(data, filter) {
  const { suite, kind, places } = data.clusters;
  const matches = matcher(data, filter.query);
  const wanted = filter.path === null ? null : { [filter.path]: 1 };
  const order = clusterOrder(data, filter.clusterSort);
  return order.filter(
    (i) =>
      (filter.suite === null || suite[i] === filter.suite) &&
      (!filter.kinds.size || filter.kinds.has(kind[i])) &&
      (wanted === null || places[i].some((list) => usesPath(list, wanted))) &&
      matches(data.clusterWords[i], places[i]),
  );
}
