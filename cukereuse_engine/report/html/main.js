// Tabs, filters and paging. The lists hold a page of rows at a time, however large the report is.

const PAGE = 50;
const state = {
  tab: "findings", query: "", suite: null, path: null, kinds: new Set(), rules: new Set(),
  findingSort: "grave", clusterSort: "report", openCluster: null, openBlock: null,
};

const byId = (id) => document.getElementById(id);

function tabs(data) {
  const problems = data.errors.length + data.glueErrors.length;
  return [
    ["findings", "Findings", data.findings.length],
    ...(data.blocks.length ? [["blocks", "Blocks", data.blocks.length]] : []),
    ["clusters", "Clusters", data.clusterCount],
    ["charts", "Charts", null],
    ...(problems ? [["problems", "Problems", problems]] : []),
  ];
}

/** A list that grows by pages: `make(number)` gives the nodes of one row. */
function paged(target, numbers, make, noun) {
  const box = el("div", { class: "pager" });
  let shownRows = 0;
  const grow = (size) => {
    const next = numbers.slice(shownRows, shownRows + size);
    target.append(...next.flatMap(make));
    shownRows += next.length;
    const left = numbers.length - shownRows;
    box.replaceChildren(
      ...(left > 0
        ? [el("button", { type: "button", class: "show-more", onclick: () => grow(PAGE * 2) }, `Show ${NUMBER.format(Math.min(left, PAGE * 2))} more`), el("span", {}, `${count(left, noun)} left`)]
        : []),
    );
  };
  grow(PAGE);
  return box;
}

function start(data) {
  const actions = {
    sortClusters(key) {
      state.clusterSort = state.clusterSort === key ? "report" : key;
      update();
      document.querySelector(`[data-sort="${key}"]`)?.focus();
    },
    showCluster(number) {
      clearFilters();
      state.openCluster = number;
      select("clusters");
      byId("panels").querySelector(".expand")?.focus();
    },
    showFile(path) {
      clearFilters();
      state.path = path;
      select("clusters");
    },
  };

  function clearFilters() {
    Object.assign(state, { query: "", path: null, openCluster: null, openBlock: null });
    state.kinds.clear();
    state.rules.clear();
  }

  function select(tab) {
    state.tab = tab;
    history.replaceState(null, "", `#${tab}`);
    filters();
    update();
  }

  function drawTabs() {
    const all = tabs(data);
    const focused = byId("tabs").contains(document.activeElement);
    byId("tabs").replaceChildren(
      ...all.map(([id, label, number]) =>
        el(
          "button",
          {
            type: "button", role: "tab", id: `tab-${id}`, "aria-selected": String(state.tab === id), "aria-controls": "panels",
            tabindex: state.tab === id ? 0 : -1, onclick: () => select(id),
          },
          label,
          number === null ? null : el("span", { class: "badge" }, NUMBER.format(number)),
        ),
      ),
    );
    if (focused) byId(`tab-${state.tab}`).focus();
  }

  byId("tabs").addEventListener("keydown", (event) => {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!move) return;
    const ids = tabs(data).map(([id]) => id);
    select(ids[(ids.indexOf(state.tab) + move + ids.length) % ids.length]);
  });

  /** The controls that make sense for the tab in front. */
  function filters() {
    const lists = state.tab === "findings" || state.tab === "clusters";
    const narrows = lists || state.tab === "blocks";
    const search = el("input", { type: "search", id: "search", placeholder: "Search texts and files", "aria-label": "Search texts and files", autocomplete: "off", spellcheck: "false" });
    search.value = state.query;
    search.addEventListener("input", later(80, () => changed({ query: search.value })));
    const parts = [];
    if (state.tab !== "charts") parts.push(search);
    if (data.suites.length > 1) parts.push(suitePicker());
    if (lists) parts.push(sortPicker());
    const remove = () => { changed({ path: null }); filters(); byId("search").focus(); };
    const groups = [
      ["File", state.path !== null && narrows ? [el("button", { type: "button", class: "chip", "aria-pressed": "true", title: "Remove this filter", onclick: remove }, `${shortPath(shortName(data, state.path), 40)} ×`)] : []],
      ["Finding", state.tab === "findings" ? ruleChips() : []],
      ["Kind", lists ? kindChips() : []],
    ];
    byId("filters").replaceChildren(
      el("div", { class: "controls" }, parts),
      ...groups.filter(([, chips]) => chips.length).map(([label, chips]) => el("div", { class: "chips", role: "group", "aria-label": label }, el("span", { class: "label" }, label), chips)),
    );
    byId("filters").hidden = !parts.length;
  }

  function changed(values) {
    Object.assign(state, { openCluster: null, openBlock: null }, values);
    update();
  }

  function picker(id, label, options, value, choose) {
    const box = el("select", { id, "aria-label": label }, options.map(([key, text]) => el("option", { value: key }, text)));
    box.value = value;
    box.addEventListener("change", () => choose(box.value));
    return box;
  }

  function suitePicker() {
    const options = [["", `All ${data.suites.length} suites`], ...data.suites.map((suite, i) => [String(i), shortPath(suite.root, 48)])];
    const value = state.suite === null ? "" : String(state.suite);
    return picker("suite", "Suite", options, value, (chosen) => changed({ suite: chosen === "" ? null : Number(chosen) }));
  }

  function sortPicker() {
    if (state.tab === "findings")
      return picker("sort", "Order", [["grave", "Most severe first"], ["sure", "Most certain first"], ["used", "Most steps to change"], ["preferred", "Most used wording"]], state.findingSort, (findingSort) => changed({ findingSort }));
    return picker("sort", "Order", [["report", "Several wordings first"], ["occurrences", "Most steps"], ["texts", "Most texts"], ["files", "Most files"], ["savings", "Largest savings"], ["text", "A to Z"]], state.clusterSort, (clusterSort) => changed({ clusterSort }));
  }

  function chip(label, number, set, value, title) {
    const button = el("button", { type: "button", class: "chip", "aria-pressed": String(set.has(value)), title }, label, el("span", { class: "badge" }, NUMBER.format(number)));
    button.addEventListener("click", () => {
      if (!set.delete(value)) set.add(value);
      button.setAttribute("aria-pressed", String(set.has(value)));
      changed({});
    });
    return button;
  }

  function kindChips() {
    const kinds = state.tab === "findings" ? data.findings.map((finding) => finding.kind).filter((kind) => kind !== null) : data.clusters.kind;
    const numbers = data.kinds.map(() => 0);
    for (const kind of kinds) numbers[kind]++;
    const present = data.kinds.map((name, kind) => [name, kind]).filter(([, kind]) => numbers[kind]);
    return present.length > 1 || state.kinds.size ? present.map(([name, kind]) => chip(name, numbers[kind], state.kinds, kind, KINDS[name])) : [];
  }

  function ruleChips() {
    const numbers = new Map();
    for (const { rule } of data.findings) numbers.set(rule, (numbers.get(rule) ?? 0) + 1);
    return numbers.size > 1 ? [...numbers].map(([rule, number]) => chip(data.rules.get(rule)?.title ?? rule, number, state.rules, rule, rule)) : [];
  }

  function status(text) {
    byId("count").textContent = text;
  }

  function nothing() {
    const clear = () => { clearFilters(); state.suite = null; filters(); update(); byId("search").focus(); };
    return message("Nothing matches.", "Try fewer words or filters.", el("button", { type: "button", class: "show-more", onclick: clear }, "Clear all filters"));
  }

  const panels = {
    findings() {
      const numbers = chosenFindings(data, state);
      status(data.findings.length ? `${NUMBER.format(numbers.length)} of ${count(data.findings.length, "finding")}` : "");
      if (!data.findings.length) return [noFindings(data)];
      if (!numbers.length) return [nothing()];
      const list = el("ol", { class: "cards" });
      return [list, paged(list, numbers, (number) => [findingCard(data, number, actions)], "finding")];
    },
    blocks() {
      const numbers = state.openBlock === null ? chosenBlocks(data, state) : [state.openBlock];
      status(`${NUMBER.format(numbers.length)} of ${count(data.blocks.length, "block")}`);
      if (!numbers.length) return [nothing()];
      const list = el("ol", { class: "cards" });
      const more = paged(list, numbers, (number) => [blockCard(data, number)], "block");
      if (state.openBlock !== null) more.append(el("button", { type: "button", class: "show-more", onclick: () => changed({}) }, "Show all blocks"));
      const picture = sharingChart(data, chosenBlocks(data, state), (number) => changed({ openBlock: number }));
      return [...(picture ? [picture] : []), list, more];
    },
    clusters() {
      const numbers = state.openCluster === null ? chosenClusters(data, state) : [state.openCluster];
      status(data.clusterCount ? `${NUMBER.format(numbers.length)} of ${count(data.clusterCount, "cluster")} of similar steps` : "");
      if (!data.clusterCount) return [message("There are no clusters.", "No text is used twice, and no two texts are similar.")];
      if (!numbers.length) return [nothing()];
      const table = clusterTable(state, actions);
      const more = paged(table.tBodies[0], numbers, (number) => clusterRows(data, number, number === state.openCluster), "cluster");
      if (state.openCluster !== null) more.append(el("button", { type: "button", class: "show-more", onclick: () => changed({}) }, "Show all clusters"));
      return [table, more];
    },
    charts() {
      status("");
      return [el("div", { class: "charts" }, fileChart(data, state, actions), sizeChart(data, state), savingsChart(data, state))];
    },
    problems() {
      const matches = matcher(data, state.query);
      const all = [...data.errors, ...data.glueErrors];
      const numbers = all.flatMap(([suite, path, , , text], i) =>
        (state.suite === null || suite === state.suite) && matches(`${data.lowerPaths[path]}\n${text.toLowerCase()}`, []) ? [i] : []);
      status(`${NUMBER.format(numbers.length)} of ${count(all.length, "problem")}`);
      if (!numbers.length) return [nothing()];
      const list = el("ul", { class: "problems" });
      const row = (i) => [el("li", {}, link(data, all[i][1], all[i][2], all[i][3]), el("bdi", {}, shown(all[i][4])))];
      return [list, paged(list, numbers, row, "place")];
    },
  };

  function update() {
    drawTabs();
    const panel = el("section", { role: "tabpanel", "aria-labelledby": `tab-${state.tab}`, class: "panel" }, panels[state.tab]());
    byId("panels").replaceChildren(panel);
  }

  const wanted = location.hash.slice(1);
  const first = data.findings.length || !data.clusterCount ? "findings" : "clusters";
  state.tab = tabs(data).some(([id]) => id === wanted) ? wanted : first;
  filters();
  update();
  document.addEventListener("keydown", (event) => {
    if (event.key === "/" && !/^(?:INPUT|SELECT|TEXTAREA)$/u.test(document.activeElement.tagName) && byId("search")) {
      event.preventDefault();
      byId("search").focus();
    }
  });
}

function introduce(data) {
  const { summary, suites } = data;
  const parts = [];
  if (data.suppressed) parts.push(`${NUMBER.format(data.suppressed)} suppressed`);
  if (suites.length > 1) parts.push(`${count(suites.length, "suite")}, each compared separately`);
  byId("lede").textContent = parts.join(" · ");
  byId("lede").hidden = !parts.length;
  byId("strategy").textContent = `${data.strategy} ${count(summary.clusters, "cluster")}.`;
  byId("notes").replaceChildren(...data.notes.map((note) => el("li", {}, note.split("`").flatMap((piece, at) => (at % 2 ? el("code", {}, shown(piece)) : shown(piece))))));
  byId("notes").hidden = !data.notes.length;
}

try {
  const data = await load();
  introduce(data);
  byId("status").remove();
  byId("report").hidden = false;
  start(data);
  document.documentElement.dataset.ready = "yes";
} catch (error) {
  byId("status").textContent = `This browser can't open the report's data (${error.message}). Use a browser version from 2023 or later.`;
  throw error;
}
