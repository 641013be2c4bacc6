// Where a server may be, in the order in which it is taken: setting, the workspace's Python environment, PATH, the
// extension's own environment. Looks at files, never runs one.

import * as path from "node:path";

export type Origin = "setting" | "workspace" | "path" | "own";

export interface Candidate {
  readonly origin: Origin;
  /** Absolute path of the `cukereuse` command. */
  readonly command: string;
}

export interface Surroundings {
  /** The setting `cukereuse.server.path`; empty where it is not set. */
  readonly setting: string;
  /** Absolute paths of the workspace folders. */
  readonly folders: readonly string[];
  /** Whether what the workspace holds may be started. */
  readonly trusted: boolean;
  /** Environment that a Python extension has chosen for the workspace: its folder or its interpreter. */
  readonly chosenPython: string | undefined;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  readonly platform: NodeJS.Platform;
  /** Folder of the extension's own environment. */
  readonly own: string;
  readonly isFile: (file: string) => boolean;
}

const ENVIRONMENT_FOLDERS = [".venv", "venv", "env", ".env"];

/** Candidates that exist. A setting stands alone: what it names is used, or an error is shown. */
export function candidates(around: Surroundings): Candidate[] {
  if (around.setting.trim()) {
    const command = fromSetting(around);
    return command ? [{ origin: "setting", command }] : [];
  }
  const found: Candidate[] = [];
  const add = (origin: Origin, command: string | undefined): void => {
    if (command && !found.some((one) => one.command === command)) found.push({ origin, command });
  };
  if (around.trusted) for (const root of environments(around)) add("workspace", inEnvironment(root, around));
  for (const folder of searchPath(around)) add("path", executableIn(folder, around));
  add("own", inEnvironment(around.own, around));
  return found;
}

/** The `cukereuse` command of a Python environment, where it is installed there. */
export function inEnvironment(
  root: string,
  around: Pick<Surroundings, "platform" | "isFile">,
): string | undefined {
  return executableIn(pathOf(around).join(root, around.platform === "win32" ? "Scripts" : "bin"), around);
}

/** The setting with `~` and `${workspaceFolder}` replaced. */
export function expandSetting(around: Pick<Surroundings, "setting" | "folders" | "home" | "platform">): string {
  const text = around.setting.trim().replaceAll("${workspaceFolder}", around.folders[0] ?? "");
  const expanded = /^~(?=$|[/\\])/u.test(text) ? around.home + text.slice(1) : text;
  return pathOf(around).isAbsolute(expanded) || !around.folders[0]
    ? expanded
    : pathOf(around).join(around.folders[0], expanded);
}

function fromSetting(around: Surroundings): string | undefined {
  const given = around.setting.trim();
  if (!/[/\\]/u.test(given) && given !== "~") {
    // a bare name, as in a shell
    for (const folder of searchPath(around)) {
      const command = executableIn(folder, around, given);
      if (command) return command;
    }
  }
  const expanded = expandSetting(around);
  if (around.isFile(expanded)) return expanded;
  return inEnvironment(expanded, around) ?? executableIn(expanded, around);
}

function environments(around: Surroundings): string[] {
  const { join, dirname, basename } = pathOf(around);
  const roots: string[] = [];
  if (around.chosenPython) {
    roots.push(around.chosenPython);
    const folder = dirname(around.chosenPython);
    if (/^(?:bin|scripts)$/iu.test(basename(folder))) roots.push(dirname(folder));
  }
  for (const folder of around.folders) roots.push(...ENVIRONMENT_FOLDERS.map((name) => join(folder, name)));
  return roots;
}

function searchPath(around: Pick<Surroundings, "env" | "platform">): string[] {
  // Windows spells it Path
  const name = Object.keys(around.env).find((key) => key.toUpperCase() === "PATH") ?? "PATH";
  const { delimiter, isAbsolute } = pathOf(around);
  return (around.env[name] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
}

function executableIn(
  folder: string,
  around: Pick<Surroundings, "platform" | "isFile">,
  name = "cukereuse",
): string | undefined {
  const file = around.platform === "win32" && !/\.exe$/iu.test(name) ? `${name}.exe` : name;
  const command = pathOf(around).join(folder, file);
  return around.isFile(command) ? command : undefined;
}

function pathOf(around: Pick<Surroundings, "platform">): path.PlatformPath {
  return around.platform === "win32" ? path.win32 : path.posix;
}
