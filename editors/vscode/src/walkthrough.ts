// What ticks the steps of the walkthrough: what was done, not that a command was started, which may end in nothing.
//
// VS Code ticks a step when its key becomes true. It may read the walkthrough only when its page opens, and a key that
// was true by then never counts: so a key is true for a moment, and again when such a page opens.

import * as vscode from "vscode";

/** In which an opened page has been read. */
const PAGE_MS = 1_000;

export type Milestone = "serverRan" | "wordingUsed" | "clusterRenamed" | "reportShown";
/** A command of no palette, behind a code action that ticks a step when it is taken. */
export const WORDING_USED = "cukereuse.wordingUsed";
const reached = new Set<Milestone>();

export function reach(milestone: Milestone): void {
  reached.add(milestone);
  pulse(milestone);
}

export function watchWalkthrough(): vscode.Disposable {
  return vscode.window.tabGroups.onDidChangeTabs(({ opened, changed }) => {
    // such a page is none of the kinds that extensions know
    if (![...opened, ...changed].some((tab) => tab.isActive && tab.input === undefined)) return;
    setTimeout(() => reached.forEach(pulse), PAGE_MS);
  });
}

function pulse(milestone: Milestone): void {
  for (const value of [true, false]) void vscode.commands.executeCommand("setContext", `cukereuse.${milestone}`, value);
}
