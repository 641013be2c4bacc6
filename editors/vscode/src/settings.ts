// What of VS Code's settings goes to the server: only values that the user set. VS Code would send every default too,
// and an editor's value wins over the suite's cukereuse.toml.

/** What `WorkspaceConfiguration.inspect` tells of one key; languages are of no account to a suite. */
export interface Inspected {
  readonly globalValue?: unknown;
  readonly workspaceValue?: unknown;
  readonly workspaceFolderValue?: unknown;
}

/** Settings that are the extension's own business, by their first word. */
const OWN = new Set(["server", "completion", "definition", "trace"]);

/** The server's keys, in VS Code's spelling, among all that the extension contributes (`cukereuse.minCount`, …). */
export function serverKeys(contributed: Iterable<string>): string[] {
  return [...contributed]
    .filter((key) => key.startsWith("cukereuse."))
    .map((key) => key.slice("cukereuse.".length))
    .filter((key) => !OWN.has(key.split(".", 1)[0] ?? ""));
}

/** Explicit values by key; the server knows `minCount` for `min_count`. */
export function explicitSettings(
  keys: Iterable<string>,
  inspect: (key: string) => Inspected | undefined,
): Record<string, unknown> {
  const sent: Record<string, unknown> = {};
  for (const key of keys) {
    const inspected = inspect(key);
    if (!inspected) continue;
    const levels = [inspected.globalValue, inspected.workspaceValue, inspected.workspaceFolderValue];
    const given = levels.filter((value) => value !== undefined && value !== null);
    if (!given.length) continue;
    // objects (the table of severities) add up over the levels, as VS Code itself merges them
    sent[key] = given.every(isTable) ? Object.assign({}, ...given) : given.at(-1);
  }
  return sent;
}

function isTable(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Explicit settings as environment variables, for the `cukereuse` command (`CUKEREUSE_MIN_COUNT=2`): lists are JSON,
 * tables `key=value,…`. A variable that the user's environment has stays.
 */
export function asEnvironment(settings: Record<string, unknown>, env: NodeJS.ProcessEnv): Record<string, string> {
  const variables: Record<string, string> = {};
  for (const [key, value] of Object.entries(settings)) {
    const name = `CUKEREUSE_${key.replace(/[A-Z]/gu, (letter) => `_${letter}`).toUpperCase()}`;
    if (env[name]) continue;
    if (typeof value === "string") variables[name] = value;
    else if (isTable(value)) variables[name] = Object.entries(value).map((pair) => pair.join("=")).join(",");
    else variables[name] = JSON.stringify(value);
  }
  return variables;
}
