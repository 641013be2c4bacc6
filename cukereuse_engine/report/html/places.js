// Lists of places: a link and a text that can be copied, `path:line`.

/** A path without what all of them begin with. */
function shortName(data, path) {
  const name = data.paths[path];
  return data.prefix && name.startsWith(data.prefix) ? name.slice(data.prefix.length) : name;
}

function link(data, path, line, column) {
  const name = line ? `${shortName(data, path)}:${line}` : shortName(data, path);
  const href = data.hrefs[path].replaceAll("{line}", line || 1).replaceAll("{column}", column || 1);
  return el("a", { class: "place", href, title: data.paths[path] }, el("bdi", {}, shown(name)));
}

/** Rows `[path, line, column, keyword, scenario]` of a flat list. */
function* rows(places) {
  for (let i = 0; i < places.length; i += PLACE_FIELDS) yield places.slice(i, i + PLACE_FIELDS);
}

function placeText(data, places) {
  return [...rows(places)].map(([path, line]) => `${data.paths[path]}:${line}`).join("\n");
}

function reasonLine(data, reasons) {
  return reasons.length ? el("p", { class: "reasons" }, el("bdi", {}, shown(reasons.map((reason) => data.reasons[reason]).join(" · ")))) : null;
}

/** The first `first` places; the others behind a button; what the report does not hold is counted. `actions` follow. */
function placeList(data, places, total, first, actions = []) {
  const all = [...rows(places)];
  const list = el("ul", { class: "places" });
  const add = (some) =>
    list.append(
      ...some.map(([path, line, column, , scenario]) =>
        el(
          "li",
          {},
          link(data, path, line, column),
          data.scenarios[scenario] ? el("bdi", { class: "scenario" }, shown(data.scenarios[scenario])) : null,
        ),
      ),
    );
  add(all.slice(0, first));
  const box = el("div", { class: "place-box" }, list);
  const foot = el("p", { class: "place-foot" });
  if (all.length > first) {
    const more = el("button", { type: "button", class: "quiet" }, `Show ${count(all.length - first, "more place")}`);
    more.addEventListener("click", () => {
      const next = list.children.length;
      add(all.slice(first));
      more.remove();
      list.children[next].querySelector("a").focus();
    });
    foot.append(more);
  }
  if (all.length > 1) foot.append(copyButton("Copy places", () => placeText(data, places)));
  if (total > all.length)
    foot.append(el("span", {}, `${count(total - all.length, "more place")} ${total - all.length === 1 ? "is" : "are"} in the JSON report.`));
  foot.append(...actions.filter((action) => action !== null));
  if (foot.childNodes.length) box.append(foot);
  return box;
}
