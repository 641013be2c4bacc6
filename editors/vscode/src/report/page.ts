// The HTML report inside a webview: its own strict policy and one more script, which tells the extension of clicked
// places. Never loosens the policy: what the report does not name by hash, and this module by nonce, can't run.

/** Links of places in a report made for the webview: `cukereuse-step:/folder/a.feature?3:5`. */
export const LINK_TEMPLATE = "cukereuse-step:{absolute}?{line}:{column}";
const LINK = /^cukereuse-step:(.+)\?(\d+):(\d+)$/u;

export interface StepPlace {
  readonly path: string;
  /** 1-based. */
  readonly line: number;
  /** 1-based, in code points. */
  readonly column: number;
}

/** Raises where the page has no policy: it is not a report then. */
export function forWebview(html: string, nonce: string): string {
  const policy = /(<meta http-equiv="Content-Security-Policy" content="[^"]*?script-src )/u;
  const title = /<\/head>/u;
  if (!policy.test(html) || !title.test(html)) throw new Error("the report has no content security policy");
  return html
    .replace(policy, (head) => `${head}'nonce-${nonce}' `)
    .replace(title, () => `<script nonce="${nonce}">${LISTENER}</script></head>`);
}

/** The place that a clicked link names; undefined for any other link. */
export function placeOf(href: unknown): StepPlace | undefined {
  const match = typeof href === "string" ? LINK.exec(href) : null;
  if (!match?.[1]) return undefined;
  try {
    const path = decodeURIComponent(match[1]);
    return { path: path.replace(/^\/+(?=[A-Za-z]:)/u, ""), line: Number(match[2]), column: Number(match[3]) };
  } catch {
    return undefined;
  }
}

const LISTENER = `{
  const vscode = acquireVsCodeApi();
  window.addEventListener("click", (event) => {
    const link = event.target.closest?.("a[href^='cukereuse-step:']");
    if (!link) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    vscode.postMessage({ open: link.getAttribute("href") });
  }, true);
}`;
