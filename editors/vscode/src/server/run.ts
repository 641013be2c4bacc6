// Runs a program to its end, and tells what it said. Knows nothing of VS Code.

import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";

export interface Ran {
  /** Exit code; -1 where the program could not be started or was stopped. */
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
  readonly env?: NodeJS.ProcessEnv;
  /** Gets each complete line of standard output and standard error. */
  readonly onLine?: (line: string) => void;
}

export type Run = (command: string, args: readonly string[], options?: RunOptions) => Promise<Ran>;

/** Never rejects: what went wrong is in the answer. */
export const run: Run = (command, args, options = {}) =>
  new Promise((resolve) => {
    const out = { stdout: "", stderr: "" };
    let ended = false;
    const end = (code: number, more = ""): void => {
      if (ended) return;
      ended = true;
      clearTimeout(timer);
      options.signal?.removeEventListener("abort", stop);
      resolve({ code, stdout: out.stdout, stderr: out.stderr + more });
    };
    const child = started(command, args, options);
    if (child instanceof Error) {
      resolve({ code: -1, stdout: "", stderr: child.message });
      return;
    }
    const stop = (): void => {
      child.kill();
      end(-1, "stopped");
    };
    const timer = options.timeoutMs
      ? setTimeout(() => {
          child.kill();
          end(-1, `no answer within ${options.timeoutMs! / 1000} seconds`);
        }, options.timeoutMs)
      : undefined;
    if (options.signal?.aborted) stop();
    options.signal?.addEventListener("abort", stop);
    for (const name of ["stdout", "stderr"] as const) {
      let rest = "";
      child[name].setEncoding("utf8");
      child[name].on("data", (text: string) => {
        out[name] += text;
        if (!options.onLine) return;
        const lines = (rest + text).split(/\r?\n/u);
        rest = lines.pop() ?? "";
        lines.forEach(options.onLine);
      });
    }
    child.on("error", (error) => end(-1, error.message));
    child.on("close", (code) => end(code ?? -1));
  });

/** Some failures are thrown at once (no program but a text, a file as a folder of its path), others told later. */
function started(command: string, args: readonly string[], options: RunOptions): ChildProcessByStdio<null, Readable, Readable> | Error {
  try {
    return spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      stdio: ["ignore", "pipe", "pipe"],
      windowsHide: true,
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}
