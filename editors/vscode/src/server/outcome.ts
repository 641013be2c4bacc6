// What a runner said at its end, for a message: the last lines that say anything. Knows nothing of VS Code.

import type { Ran } from "./run";

const LINES = 30;
const COLOURS = /\u001b\[[\d;]*m/gu;

export function tail({ stdout, stderr }: Pick<Ran, "stdout" | "stderr">): string {
  const lines = `${stdout.trimEnd()}\n${stderr.trimEnd()}`.replaceAll(COLOURS, "").split(/\r?\n/u);
  return lines.slice(-LINES).join("\n").trim() || "it said nothing";
}
