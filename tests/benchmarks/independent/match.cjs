// One request a line: {"kind": "regex" | "cucumber" | "vitest", "patterns": [[source, flags], ...], "texts": [...], "types": {name:
// [regexps]}} -> [[pattern, text, [arguments]], ...]. Cucumber Expressions by the official library.
const readline = require("readline");

const lines = readline.createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const asked = JSON.parse(line);
  const found = [];
  asked.patterns.forEach(([source, flags], number) => {
    let match;
    try {
      match = { regex: byRegex, vitest: byPutIn, cucumber: byExpression }[asked.kind](source, flags, asked.types);
    } catch (error) {
      found.push([number, -1, []]);
      return;
    }
    asked.texts.forEach((text, at) => {
      const values = match(text);
      if (values) found.push([number, at, values]);
    });
  });
  console.log(JSON.stringify(found));
});

function byRegex(source, flags) {
  const pattern = new RegExp(source, flags.replace(/[^imsu]/g, ""));
  return (text) => {
    const match = pattern.exec(text);
    return match && match.slice(1).map((one) => one ?? null);
  };
}

// vitest-cucumber: the text itself, or a regular expression with parameters put in, of which only ? is text.
function byPutIn(source, _, types) {
  const known = { string: `"[^"]*"|'[^']*'`, number: "-?\\d+(?:[.,]\\d+)?", int: "-?\\d+", boolean: "true|false", word: "\\w+" };
  let number = 0;
  const pattern = source
    .replace(/[?]/g, "\\?")
    .replace(/(?<!\\)\{([^{}\\]*)\}/g, (_, name) => {
      number += 1;
      return `(?<taken${number}>${known[name] ?? (types[name] ?? [".*"]).join("|")})`;
    });
  const compiled = new RegExp(`^(?:${pattern})$`);
  return (text) => {
    const match = compiled.exec(text);
    if (text === source) return [];
    return match && Object.values(match.groups ?? {}).map((one) => one ?? null);
  };
}

function byExpression(source, _, types) {
  const { CucumberExpression, ParameterType, ParameterTypeRegistry } = require("@cucumber/cucumber-expressions");
  const registry = new ParameterTypeRegistry();
  const named = [...source.matchAll(/(?<!\\)\{([^{}\\]*)\}/g)].map((one) => one[1]);
  for (const name of new Set(named)) {
    if (registry.lookupByTypeName(name)) continue;
    const regexps = types[name] && types[name].length ? types[name] : [".*"];
    registry.defineParameterType(new ParameterType(name, regexps, null, (...values) => values.join("\0"), false, false));
  }
  const expression = new CucumberExpression(source, registry);
  return (text) => {
    const found = expression.match(text);
    return found && found.map((one) => String(one.getValue(null)));
  };
}
