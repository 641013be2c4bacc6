// Versions of the server and of the extension, and whether they go together. Never runs anything.

export interface Version {
  readonly major: number;
  readonly minor: number;
  readonly patch: number;
}

export type Fit = "fits" | "older" | "newer";

/** The first version number in a text such as "cukereuse 0.1.0" or "1.2.0rc1"; suffixes are not compared. */
export function parseVersion(text: string): Version | undefined {
  const match = /(?<![\w.])(\d+)\.(\d+)(?:\.(\d+))?/u.exec(text);
  if (!match) return undefined;
  return { major: Number(match[1]), minor: Number(match[2]), patch: Number(match[3] ?? 0) };
}

export function versionText(version: Version): string {
  return `${version.major}.${version.minor}.${version.patch}`;
}

/** How a server stands to an extension: they fit within one major version, before 1.0 within one minor version. */
export function fit(server: Version, extension: Version): Fit {
  const distance =
    server.major - extension.major || (extension.major === 0 ? server.minor - extension.minor : 0);
  if (distance === 0) return "fits";
  return distance < 0 ? "older" : "newer";
}
