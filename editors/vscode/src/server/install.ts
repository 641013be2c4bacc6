// The extension's own server: a Python environment in the extension's storage, made from the wheel that the extension
// carries. Its dependencies come from the package index through pip. Knows nothing of VS Code.

import * as fs from "node:fs/promises";
import * as path from "node:path";
import type { Run } from "./run";

/** Why an installation failed, in words for the user: what happened, and what to do. */
export class InstallError extends Error {}

export interface InstallRequest {
  /** Folder of the environment; replaced whole. */
  readonly folder: string;
  readonly wheel: string;
  /** Interpreters to try, the preferred first; each a command with arguments. */
  readonly pythons: readonly (readonly string[])[];
  readonly platform: NodeJS.Platform;
  readonly run: Run;
  readonly report: (message: string) => void;
  readonly log: (line: string) => void;
  readonly signal?: AbortSignal;
}

const LEAST_PYTHON = [3, 11] as const;
const PIP = ["-m", "pip", "--disable-pip-version-check", "--no-input"];
/** Python compiles what the server imports when it is first imported; compiling all of it is a large part of the wait. */
const INSTALL = ["install", "--no-compile"];
/** What a compiler makes at installation, and dispensable: without it, the index that comes as a wheel serves. */
const COMPILED = "hnsw";
const FULL = "The disk is full. The server needs about 500 MB. Free some space and try again.";
const OFFLINE =
  /NewConnectionError|ConnectTimeout|ReadTimeout|Name or service not known|Temporary failure in name resolution|getaddrinfo failed|ProxyError|Network is unreachable|Connection refused|nodename nor servname/u;

/**
 * Make the environment. Raises `InstallError`; what was begun is removed then. Gives what is left to do while the server
 * serves already: what a compiler makes, if there is one.
 */
export async function install(request: InstallRequest): Promise<() => Promise<void>> {
  const python = await findPython(request);
  request.report("creating a Python environment");
  try {
    await fs.rm(request.folder, { recursive: true, force: true });
    await fs.mkdir(path.dirname(request.folder), { recursive: true });
    await makeEnvironment(python, request);
    return await fillEnvironment(request);
  } catch (error) {
    await fs.rm(request.folder, { recursive: true, force: true }).catch(() => undefined);
    throw describedOnDisk(error, request.folder);
  }
}

/** What the disk refused, in words for the user. */
function describedOnDisk(error: unknown, folder: string): unknown {
  const code = (error as NodeJS.ErrnoException).code;
  if (error instanceof InstallError || code === undefined) return error;
  if (code === "ENOSPC" || code === "EDQUOT") return new InstallError(FULL);
  return new InstallError(
    `${path.dirname(folder)} can't be written to (${code}). Allow that and try again; or install cukereuse elsewhere ` +
      "(`pipx install cukereuse`) and name it in the setting cukereuse.server.path.",
  );
}

/** Interpreters that a user's machine may have. */
export function usualPythons(platform: NodeJS.Platform, chosen?: string): string[][] {
  const names = ["python3", "python3.13", "python3.12", "python3.11", "python"].map((name) => [name]);
  const usual = platform === "win32" ? [["py", "-3"], ["python"], ["python3"]] : names;
  return chosen ? [[chosen], ...usual] : usual;
}

async function findPython({ pythons, run, signal }: InstallRequest): Promise<readonly string[]> {
  const code = "import sys; print('%d.%d' % sys.version_info[:2])";
  let newest = "";
  for (const python of pythons) {
    const [command, ...args] = python;
    if (!command) continue;
    const ran = await run(command, [...args, "-c", code], { timeoutMs: 30_000, ...(signal && { signal }) });
    const [major = 0, minor = 0] = ran.stdout.trim().split(".").map(Number);
    if (ran.code !== 0 || !major) continue;
    if (major === LEAST_PYTHON[0] && minor >= LEAST_PYTHON[1]) return python;
    newest ||= `${major}.${minor}`;
  }
  const have = newest ? `the newest found here is ${newest}` : "none was found";
  throw new InstallError(
    `cukereuse needs Python ${LEAST_PYTHON.join(".")} or newer; ${have}. Install it and try again.`,
  );
}

async function makeEnvironment(python: readonly string[], request: InstallRequest): Promise<void> {
  const [command = "", ...args] = python;
  const ran = await logged(request, command, [...args, "-m", "venv", request.folder]);
  if (ran.code === 0) return;
  const said = ran.stdout + ran.stderr;
  if (/ensurepip|python3(?:\.\d+)?-venv/u.test(said)) {
    throw new InstallError(
      "This Python can't create environments. On Debian and Ubuntu, install the package python3-venv and try again.",
    );
  }
  throw new InstallError(`The Python environment could not be created: ${lastLine(said)}. See the log for details.`);
}

async function fillEnvironment(request: InstallRequest): Promise<() => Promise<void>> {
  const python = environmentPython(request.folder, request.platform);
  request.report("installing cukereuse and its dependencies");
  await pip(request, python, [...INSTALL, "--prefer-binary", "--retries", "2", "--timeout", "20", request.wheel]);
  return async () => {
    const ran = await logged(request, python, [...PIP, ...INSTALL, `${request.wheel}[${COMPILED}]`]);
    request.log(
      ran.code === 0
        ? "hnswlib was built and will be used from the next start."
        : "hnswlib could not be built; usearch is used instead.",
    );
  };
}

async function pip(request: InstallRequest, python: string, args: readonly string[]): Promise<void> {
  const ran = await logged(request, python, [...PIP, ...args]);
  if (ran.code === 0) return;
  if (request.signal?.aborted) throw new InstallError("The installation was cancelled.");
  const said = ran.stdout + ran.stderr;
  if (OFFLINE.test(said)) {
    throw new InstallError(
      "The package index can't be reached. Connect to the network (or set HTTPS_PROXY, or configure pip for your " +
        "mirror) and try again; or name an installed cukereuse in the setting cukereuse.server.path.",
    );
  }
  if (/No space left|ENOSPC/u.test(said)) {
    throw new InstallError(FULL);
  }
  throw new InstallError(`pip failed: ${lastLine(said)}. See the log for details.`);
}

function logged(request: InstallRequest, command: string, args: readonly string[]): ReturnType<Run> {
  request.log(`> ${[command, ...args].join(" ")}`);
  return request.run(command, args, {
    onLine: request.log,
    // a Python path of the workspace's must not leak into the environment
    env: { PYTHONPATH: undefined, PYTHONHOME: undefined, PIP_REQUIRE_VIRTUALENV: undefined },
    ...(request.signal && { signal: request.signal }),
  });
}

export function environmentPython(folder: string, platform: NodeJS.Platform): string {
  return platform === "win32" ? path.join(folder, "Scripts", "python.exe") : path.join(folder, "bin", "python");
}

function lastLine(text: string): string {
  return text.trim().split(/\r?\n/u).at(-1)?.trim() ?? "";
}
