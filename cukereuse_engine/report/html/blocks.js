// Blocks: runs of steps that recur, with their places, and which files share which.

const SHARING_FILES = 24;
const SHARING_BLOCKS = 40;

function blockCard(data, number) {
  const block = data.blocks[number];
  const varies = new Map(block.parameters.map(([step, name, values]) => [step, [name, values]]));
  const steps = block.steps.map(([keyword, text], i) =>
    el(
      "li",
      {},
      el("span", { class: "label" }, keyword),
      el(
        "div",
        { class: "told" },
        stepText(text),
        varies.has(i) ? el("bdi", { class: "scenario", title: "values" }, shown(`varies: ${varies.get(i)[1].join(", ")}`)) : null,
      ),
    ),
  );
  return el(
    "li",
    { class: "card", id: `block-${block.id}` },
    el(
      "p",
      { class: "card-head" },
      el("span", { class: "rule" }, `${count(block.steps.length, "step")} in ${count(block.scenarios, "scenario")} of ${count(block.files, "file")}`),
      data.suites.length > 1 ? el("bdi", { class: "suite" }, shown(data.suites[block.suite].root)) : null,
      el("span", { title: "Steps saved if one step replaced the block" }, `saves ${count(block.saved, "line")}`),
      el("span", { class: "sure", title: "Probability that a maintainer would make it one step" }, `${Math.min(99, Math.round(block.confidence * 100))} % likely worth a step`),
    ),
    el("ol", { class: "definitions block-steps" }, steps),
    reasonLine(data, block.reasons),
    placeList(data, block.places, block.n, 3),
  );
}

/** Files as rows, blocks as columns, a dot where a file holds a block. */
function sharingChart(data, numbers, show) {
  const blocks = numbers.filter((i) => data.blocks[i].files > 1).slice(0, SHARING_BLOCKS);
  const held = new Map();
  blocks.forEach((i, column) => {
    for (const [path] of rows(data.blocks[i].places)) {
      if (!held.has(path)) held.set(path, new Map());
      held.get(path).set(column, (held.get(path).get(column) ?? 0) + 1);
    }
  });
  const files = [...held].sort((a, b) => b[1].size - a[1].size || a[0] - b[0]).slice(0, SHARING_FILES);
  if (blocks.length < 2 || files.length < 2) return null;
  const letters = Math.min(38, Math.floor(chartWidth() / 16));
  const label = 8 * letters;
  const [cell, width] = [18, label + 18 * blocks.length + 8];
  const picture = svg("svg", { viewBox: `0 0 ${width} ${cell * files.length + 8}`, width, role: "group", "aria-label": "Blocks shared by files" });
  files.forEach(([path, columns], row) => {
    const y = row * cell + 4;
    const name = svg("text", { x: 0, y: y + 13, class: "bar-label" });
    name.append(shortPath(shortName(data, path), letters));
    picture.append(svg("line", { x1: label, x2: width - 8, y1: y + cell / 2, y2: y + cell / 2, class: "grid" }), name);
    for (const [column, times] of columns) {
      const block = data.blocks[blocks[column]];
      const dot = svg("circle", { cx: label + cell * column + cell / 2, cy: y + cell / 2, r: Math.min(8, 3 + Math.sqrt(times)), class: "dot clickable", tabindex: "0", role: "button" });
      const said = `${shortName(data, path)}: ${count(times, "place")} of “${block.steps[0][1]}” and ${count(block.steps.length - 1, "more step")}`;
      dot.setAttribute("aria-label", said);
      const title = svg("title");
      title.append(said);
      dot.append(title);
      const open = () => show(blocks[column]);
      dot.addEventListener("click", open);
      dot.addEventListener("keydown", (event) => {
        if (event.key === "Enter" || event.key === " ") {
          event.preventDefault();
          open();
        }
      });
      picture.append(dot);
    }
  });
  const box = figure("Blocks shared by files", "Rows are files and columns are blocks, the most worthwhile first. Choose a dot to show its block.", picture);
  box.classList.add("sharing");
  return box;
}

/** Numbers of the blocks that pass, the most worthwhile first. */
function chosenBlocks(data, filter) {
  const matches = matcher(data, filter.query);
  return data.blocks.flatMap((block, i) =>
    (filter.suite === null || block.suite === filter.suite) &&
    (filter.path === null || usesPath(block.places, { [filter.path]: 1 })) &&
    matches(data.blockWords[i], [block.places])
      ? [i]
      : [],
  );
}
