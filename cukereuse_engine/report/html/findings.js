// What a person can do: others that should become the preferred one, or go. It costs maintainers, so it comes first.

const SEVERITIES = { error: "Error", warning: "Warning", information: "Information", hint: "Hint" };

function wordingRow(data, label, className, side, other, ofBlocks) {
  return el(
    "div",
    { class: `wording ${className}` },
    el("dt", {}, label),
    el("dd", {}, stepText(side.text, other?.text ?? side.text), el("span", { class: "times", title: "steps" }, ofBlocks ? count(side.n, "step") : `${NUMBER.format(side.n)}×`)),
    side.reasons?.length ? el("dd", {}, reasonLine(data, side.reasons)) : null,
  );
}

function definitionRows(data, label, side) {
  return side.definitions.map(([path, line, column, expression, name]) =>
    el(
      "li",
      {},
      el("span", { class: "label" }, label),
      el(
        "div",
        { class: "told" },
        link(data, path, line, column),
        el("span", {}, el("bdi", { class: "expression" }, shown(expression)), name ? [" ", el("bdi", { class: "scenario" }, shown(name))] : null),
      ),
    ),
  );
}

/** Places of its steps: those of its definitions stand above them. */
function stepPlaces(side) {
  const defined = new Set(side.definitions.map(([path, line]) => `${path}:${line}`));
  return [...rows(side.places)].filter(([path, line]) => !defined.has(`${path}:${line}`)).flat();
}

function codeView(data, functions) {
  const lines = (text) => text.split("\n").flatMap((line, number) => (number ? ["\n", ...shown(line)] : shown(line)));
  const pieces = (parts) =>
    Array.from({ length: parts.length / 2 }, (_, place) => [parts[2 * place], parts[2 * place + 1]]).flatMap(([text, marked]) =>
      marked ? [el("mark", { class: "differs" }, lines(text))] : lines(text),
    );
  return el(
    "details",
    { class: "code" },
    el("summary", {}, functions.length > 1 ? "The functions side by side" : "The function"),
    el(
      "div",
      { class: "functions" },
      functions.map(([path, line, name, parts]) =>
        el("figure", {}, el("figcaption", {}, link(data, path, line, 1), name ? el("bdi", {}, shown(name)) : null), el("pre", {}, pieces(parts))),
      ),
    ),
  );
}

function findingCard(data, number, actions) {
  const finding = data.findings[number];
  const { others, preferred } = finding;
  const rule = data.rules.get(finding.rule);
  const used = rule?.ofBlocks ? "repeats" : preferred ? "other" : "wording";
  const definitions = [
    ...others.flatMap((other) => definitionRows(data, used, other)),
    ...(preferred ? definitionRows(data, "preferred", preferred) : []),
  ];
  const steps = others.flatMap((other) => stepPlaces(other));
  const places = others.reduce((total, other) => total + other.unlisted, steps.length / PLACE_FIELDS);
  const aboutSteps = steps.length > 0 || !definitions.length;
  const cluster = data.clusterById.get(`${finding.suite} ${finding.cluster}`);
  return el(
    "li",
    { class: "card" },
    el(
      "p",
      { class: "card-head" },
      el("span", { class: `severity ${finding.severity}` }, SEVERITIES[finding.severity] ?? finding.severity),
      el("span", { class: "rule", title: rule?.help }, finding.title),
      data.suites.length > 1 ? el("bdi", { class: "suite" }, shown(data.suites[finding.suite].root)) : null,
      finding.confidence === null
        ? null
        : el("span", { class: "sure", title: "Probability that a reader agrees" }, `${Math.min(99, Math.round(finding.confidence * 100))} % likely right`),
    ),
    el(
      "dl",
      { class: "wordings" },
      ...others.map((other, place) => wordingRow(data, used, "less", other, preferred ?? others[place ? 0 : 1], rule?.ofBlocks)),
      preferred ? wordingRow(data, "preferred", "more", preferred, others[0], rule?.ofBlocks) : null,
    ),
    reasonLine(data, finding.reasons),
    definitions.length ? el("ul", { class: "definitions" }, definitions) : null,
    finding.code.length ? codeView(data, finding.code) : null,
    placeList(data, steps, aboutSteps ? places : 0, 3, [
      preferred ? copyButton("Copy the preferred wording", () => preferred.text) : null,
      cluster === undefined
        ? null
        : el("button", { type: "button", class: "quiet", onclick: () => actions.showCluster(cluster) }, "All similar steps"),
    ]),
  );
}

function noFindings(data) {
  return message(data.headline.title, data.headline.detail);
}

function message(title, hint, ...more) {
  return el("div", { class: "message" }, el("p", { class: "message-title" }, title), el("p", {}, hint), ...more);
}
