// What a runner said at its end, for a message: first the line that says why, then the last lines. Knows nothing of VS Code.

import type { Ran } from "./run";

const LINES = 30;
const COLOURS = /\u001b\[[\d;]*m/gu;
/** pytest quotes code, which may name errors, and marks what happened. */
const MARKED = /^E {2,}(?=\S)/u;
const WHY = /\b(?:\w*Error|\w*Exception|ASSERT FAILED|expected)\b/u;
/** An assertion without a message: the line before has its step. */
const BARE = /^\s*(?:\w*Error|\w*Exception|ASSERT FAILED):?\s*$/u;

export function tail({ stdout, stderr }: Pick<Ran, "stdout" | "stderr">): string {
  const all = `${stdout.trimEnd()}\n${stderr.trimEnd()}`.replaceAll(COLOURS, "").split(/\r?\n/u);
  const last = all.slice(-LINES).join("\n").trim();
  const says = (line: string, at: number): boolean => WHY.test(line) || BARE.test(all[at + 1] ?? "");
  const why = (all.find((line) => MARKED.test(line)) ?? all.find(says))?.replace(MARKED, "").trim();
  return (why && why !== last ? `${why}\n\n${last}` : last) || "there was no output";
}
