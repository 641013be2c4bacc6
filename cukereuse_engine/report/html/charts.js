// Three pictures of the suite. Repetition is shown as what it is: reuse, not a defect.

const BAR = 24;
const LABEL = 8;

/** Pixels across, so that a phone's text is not scaled down. */
function chartWidth() {
  return Math.max(240, Math.min(560, document.documentElement.clientWidth - 74));
}

/** Rows of `{label, value, of?, note, action?}` as horizontal bars under their labels. */
function bars(title, items) {
  const width = chartWidth();
  const height = items.length * (BAR + 20);
  const largest = Math.max(1, ...items.map((item) => item.of ?? item.value));
  const room = 7.5 * Math.max(0, ...items.map((item) => item.note.length)) + 2 * LABEL;
  const scale = (value) => (value ? Math.max(1, (value / largest) * (width - room)) : 0);
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${title}: ${items.map((item) => `${item.label} ${item.note}`).join("; ")}` });
  items.forEach((item, i) => {
    const y = i * (BAR + 20);
    const group = svg("g", { class: item.action ? "bar clickable" : "bar" });
    const label = svg("text", { x: 0, y: y + 12, class: "bar-label" });
    label.append(item.label);
    const note = svg("text", { x: scale(item.of ?? item.value) + LABEL, y: y + 31, class: "bar-note" });
    note.append(item.note);
    if (item.of) group.append(svg("rect", { x: 0, y: y + 18, width: scale(item.of), height: 18, class: "bar-of", rx: 3 }));
    group.append(svg("rect", { x: 0, y: y + 18, width: scale(item.value), height: 18, class: "bar-value", rx: 3 }), label, note);
    if (item.action) {
      group.setAttribute("tabindex", "0");
      group.setAttribute("role", "button");
      group.setAttribute("aria-label", `${item.label}: ${item.note}. Show its clusters`);
      group.addEventListener("click", item.action);
      group.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          item.action();
        }
      });
      picture.setAttribute("role", "group");
    }
    picture.append(group);
  });
  return picture;
}

function shortPath(path, limit) {
  const clean = [...path].map((character) => (character.match(HIDDEN) ? escaped(character) : character)).join("");
  return clean.length <= limit ? clean : `…${clean.slice(clean.length - limit + 1)}`;
}

function fileChart(data, filter, actions) {
  const files = data.files.filter(([, suite]) => filter.suite === null || suite === filter.suite).slice(0, 12);
  const items = files.map(([path, , steps, repeated]) => ({
    label: shortPath(shortName(data, path), Math.floor(chartWidth() / 7.5)),
    value: repeated,
    of: steps,
    note: `${NUMBER.format(repeated)} of ${NUMBER.format(steps)}`,
    action: () => actions.showFile(path),
  }));
  return figure(
    "Repetition by file",
    "Share of each file's steps whose text is used elsewhere in the suite. Choose a file to see its clusters.",
    items.length ? bars("Repetition by file", items) : null,
  );
}

const SIZE_STEPS = [2, 3, 5, 9, 17, 33, 65, 129, 257, 513, 1025];

function sizeChart(data, filter) {
  const { occurrences, suite } = data.clusters;
  const groups = SIZE_STEPS.map(() => ({ clusters: 0, steps: 0 }));
  let single = 0;
  occurrences.forEach((size, i) => {
    if (filter.suite !== null && suite[i] !== filter.suite) return;
    let group = SIZE_STEPS.length - 1;
    while (group >= 0 && SIZE_STEPS[group] > size) group--;
    if (group < 0) single++;
    else {
      groups[group].clusters++;
      groups[group].steps += size;
    }
  });
  let last = groups.length;
  while (last > 0 && !groups[last - 1].clusters) last--;
  const items = groups.slice(0, last).map((group, i) => {
    const to = SIZE_STEPS[i + 1] - 1;
    const label = i === SIZE_STEPS.length - 1 ? `${NUMBER.format(SIZE_STEPS[i])} steps and more` : to === SIZE_STEPS[i] ? `${NUMBER.format(to)} steps` : `${NUMBER.format(SIZE_STEPS[i])}–${NUMBER.format(to)} steps`;
    return { label, value: group.clusters, note: `${count(group.clusters, "cluster")}, ${count(group.steps, "step")}` };
  });
  if (single) items.unshift({ label: "1 step", value: single, note: count(single, "cluster") });
  return figure("Cluster sizes", "Number of clusters by size.", items.length ? bars("Cluster sizes", items) : null);
}

/** Share of all savings that the largest clusters hold together; the axis of clusters is logarithmic. */
function savingsChart(data, filter) {
  const { savings, suite } = data.clusters;
  const values = savings.filter((_, i) => filter.suite === null || suite[i] === filter.suite).sort((a, b) => b - a);
  const total = values.reduce((sum, value) => sum + value, 0);
  const title = "Savings";
  if (!total) return figure(title, "Savings if each cluster became one step.", null);
  const [width, height, left, bottom] = [chartWidth(), 300, 52, 40];
  const x = (n) => left + (Math.log(n) / Math.log(Math.max(2, values.length))) * (width - left - 16);
  const y = (share) => 12 + (1 - share) * (height - bottom - 12);
  let sum = 0;
  let path = "";
  let previous = -1;
  const half = { n: 0 };
  values.forEach((value, i) => {
    sum += value;
    if (!half.n && sum >= total / 2) half.n = i + 1;
    const at = x(i + 1);
    if (at - previous < 0.8 && i + 1 < values.length) return;
    previous = at;
    path += `${path ? "L" : "M"}${at.toFixed(1)} ${y(sum / total).toFixed(1)}`;
  });
  const picture = svg("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": `${count(half.n, "cluster")} of ${NUMBER.format(values.length)} hold half of the savings` });
  const write = (at, to, text, anchor) => {
    const node = svg("text", { x: at, y: to, class: "axis", "text-anchor": anchor });
    node.append(text);
    picture.append(node);
  };
  for (const share of [0, 0.25, 0.5, 0.75, 1]) {
    picture.append(svg("line", { x1: left, x2: width - 16, y1: y(share), y2: y(share), class: "grid" }));
    write(left - 8, y(share) + 4, `${share * 100} %`, "end");
  }
  for (let n = 1; n <= values.length; n *= 10) write(x(n), height - bottom + 20, NUMBER.format(n), "middle");
  write(width - 16, height - 4, "largest clusters", "end");
  picture.append(svg("path", { d: path, class: "curve" }));
  if (values.length > 1) picture.append(svg("circle", { cx: x(half.n), cy: y(values.slice(0, half.n).reduce((a, b) => a + b, 0) / total), r: 4.5, class: "dot" }));
  return figure(
    title,
    `${count(Math.round(total), "step is a candidate", "steps are candidates")} for consolidation, weighted by the strategy's confidence. ` +
      `${count(half.n, "cluster holds", "clusters hold")} half of them.`,
    picture,
  );
}

function figure(title, hint, picture) {
  return el("figure", {}, el("figcaption", {}, el("h2", {}, title), el("p", {}, hint)), picture ?? el("p", { class: "nothing" }, "Nothing to show."));
}
