// The grammar as the editor's own tokenizer reads it.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import * as oniguruma from "vscode-oniguruma";
import * as textmate from "vscode-textmate";

const SCOPE = "text.gherkin.cukereuse";

async function load(): Promise<textmate.IGrammar> {
  await oniguruma.loadWASM(readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm")).buffer as ArrayBuffer);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (sources) => new oniguruma.OnigScanner(sources),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: (name) =>
      Promise.resolve(
        name === SCOPE ? textmate.parseRawGrammar(readFileSync("syntaxes/gherkin.tmLanguage.json", "utf8"), "g.json") : null,
      ),
  });
  return (await registry.loadGrammar(SCOPE))!;
}

const loaded = load();

/** Each line's tokens that have a scope of their own, as `text scope`. */
async function tokens(text: string): Promise<string[]> {
  const grammar = await loaded;
  let stack: textmate.StateStack = textmate.INITIAL;
  const found: string[] = [];
  for (const line of text.split("\n")) {
    const result = grammar.tokenizeLine(line, stack);
    stack = result.ruleStack;
    for (const token of result.tokens) {
      const part = line.slice(token.startIndex, token.endIndex).trim();
      const scope = token.scopes.at(-1)!.replace(/\.gherkin$/u, "");
      if (part && scope !== SCOPE) found.push(`${part} ${scope}`);
    }
  }
  return found;
}

for (const [what, text, expected] of [
  ["a heading", "Feature: The shop", ["Feature keyword.control.heading", ": punctuation.separator", "The shop entity.name.section"]],
  ["the longest heading", "  Scenario Outline: A", ["Scenario Outline keyword.control.heading", ": punctuation.separator", "A entity.name.section"]],
  ["a step", '  When I add 2 of "tea"', ["When keyword.other.step", "2 constant.numeric", '" string.quoted.double', "tea string.quoted.double", '" string.quoted.double']],
  ["a bullet", "  * I pay", ["* keyword.other.step"]],
  ["a placeholder", "Then <total> euros", ["Then keyword.other.step", "<total> variable.parameter"]],
  ["a colour is no comment", "Given #00FF00", ["Given keyword.other.step"]],
  ["an apostrophe is no quote", "Given Ann's basket isn't empty", ["Given keyword.other.step"]],
  ["a description", "  A shopper gives money.\n  Whenever", []],
  ["a comment", "  # Given x", ["# Given x comment.line.number-sign"]],
  ["tags", "@slow @a:1 # why", ["@slow entity.name.tag", "@a:1 entity.name.tag", "# why comment.line.number-sign"]],
  ["nothing inside a DocString", '"""\nGiven x\n| a |\n"""', ['""" string.quoted.docstring', "Given x string.quoted.docstring", "| a | string.quoted.docstring", '""" string.quoted.docstring']],
  ["French", "# language: fr\nFonctionnalité: Panier\nEtant donné que j'ajoute\nGiven x", [
    "# language: fr comment.line.number-sign",
    "Fonctionnalité keyword.control.heading",
    ": punctuation.separator",
    "Panier entity.name.section",
    "Etant donné que keyword.other.step",
  ]],
  ["a keyword without a blank", "# language: ja\n前提商品がある", ["# language: ja comment.line.number-sign", "前提 keyword.other.step"]],
] as const) {
  test(what, async () => assert.deepEqual(await tokens(text), expected));
}

test("a table", async () => {
  const found = await tokens("| a \\| b | <c> |");
  assert.equal(found.filter((token) => token === "| punctuation.separator.table").length, 3);
  assert.ok(found.includes("\\| constant.character.escape"));
  assert.ok(found.includes("<c> variable.parameter"));
});
