// Where a command was asked for: what the server sent along, or the cursor.

import * as vscode from "vscode";
import type { LanguageClient, Location, Position } from "vscode-languageclient/node";

export interface Cursor {
  readonly uri: vscode.Uri;
  readonly position: vscode.Position;
}

/** From the argument of a command of the server's; else from the active editor. */
export function cursorOf(client: LanguageClient, argument: unknown): Cursor | undefined {
  const { textDocument, position } = (argument ?? {}) as { textDocument?: { uri?: unknown }; position?: unknown };
  if (typeof textDocument?.uri === "string" && isPosition(position)) {
    const converter = client.protocol2CodeConverter;
    return { uri: converter.asUri(textDocument.uri), position: converter.asPosition(position) };
  }
  const editor = vscode.window.activeTextEditor;
  return editor && { uri: editor.document.uri, position: editor.selection.active };
}

/** Parameters of a request about one place. */
export function parametersOf(client: LanguageClient, { uri, position }: Cursor): object {
  const converter = client.code2ProtocolConverter;
  return { textDocument: { uri: converter.asUri(uri) }, position: converter.asPosition(position) };
}

/** Open the only place, or let the user look through several at the cursor. */
export async function showLocations(
  client: LanguageClient,
  cursor: Cursor | undefined,
  locations: readonly Location[],
): Promise<void> {
  const found = locations.map((one) => client.protocol2CodeConverter.asLocation(one));
  const [first] = found;
  if (!first) return;
  if (found.length === 1 || !cursor) {
    await vscode.window.showTextDocument(first.uri, { selection: first.range });
  } else {
    await vscode.commands.executeCommand("editor.action.showReferences", cursor.uri, cursor.position, found);
  }
}

function isPosition(value: unknown): value is Position {
  const { line, character } = (value ?? {}) as Record<string, unknown>;
  return typeof line === "number" && typeof character === "number";
}
