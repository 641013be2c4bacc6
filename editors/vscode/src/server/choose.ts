// Which of the candidates serves: the first that answers in a version that goes with the extension's.

import type { Candidate } from "./candidates";
import type { Run } from "./run";
import { type Fit, type Version, fit, parseVersion } from "./version";

const ANSWER_MS = 30_000;

export interface Probed extends Candidate {
  readonly version: Version | undefined;
  /** What is wrong with it; undefined where it serves. */
  readonly problem: Exclude<Fit, "fits"> | "broken" | undefined;
  /** Last line of what a broken one said. */
  readonly said: string;
}

export interface Choice {
  readonly chosen: Probed | undefined;
  /** What was found and does not serve, in order. */
  readonly refused: readonly Probed[];
}

export async function choose(found: readonly Candidate[], extension: Version, run: Run): Promise<Choice> {
  const refused: Probed[] = [];
  for (const candidate of found) {
    const probed = await probe(candidate, extension, run);
    if (!probed.problem) return { chosen: probed, refused };
    refused.push(probed);
  }
  return { chosen: undefined, refused };
}

export async function probe(candidate: Candidate, extension: Version, run: Run): Promise<Probed> {
  const ran = await run(candidate.command, ["--version"], { timeoutMs: ANSWER_MS });
  const version = ran.code === 0 ? parseVersion(ran.stdout) : undefined;
  if (!version) {
    const said = (ran.stderr.trim() || ran.stdout.trim()).split(/\r?\n/u).at(-1) ?? "";
    return { ...candidate, version, problem: "broken", said };
  }
  const fits = fit(version, extension);
  return { ...candidate, version, problem: fits === "fits" ? undefined : fits, said: "" };
}
