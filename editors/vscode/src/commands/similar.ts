// Find Similar Steps: what the suite already says, the most similar first; a choice shows its places.

import * as vscode from "vscode";
import { SIMILAR, type SimilarStep, type SimilarSteps } from "../protocol";
import type { Session } from "../session";
import { unlessReading } from "../status";
import { counted } from "../text";
import { reach } from "../walkthrough";
import { cursorOf, parametersOf, showLocations } from "./cursor";

export async function findSimilarSteps(session: Session, args: readonly unknown[]): Promise<void> {
  const client = await session.running();
  if (!client) return;
  const cursor = cursorOf(client, args);
  const ask = async (parameters: object): Promise<readonly SimilarStep[]> =>
    (await client.sendRequest<SimilarSteps>(SIMILAR, parameters)).items;
  let found = cursor && isFeature(cursor.uri) ? await ask(parametersOf(client, cursor)) : [];
  if (!found.length) {
    const prompt = "A step's text, without its keyword";
    const text = await vscode.window.showInputBox({ title: "Find Similar Steps", prompt });
    if (!text?.trim()) return;
    found = await ask({ text });
  }
  if (!found.length) {
    void vscode.window.showInformationMessage(await unlessReading(session, "The suite has no similar step."));
    return;
  }
  const picked = await vscode.window.showQuickPick(found.map(entry), {
    title: "Similar steps",
    placeHolder: "Choose one to see where it is used",
    matchOnDetail: true,
  });
  if (picked) reach("wordingUsed");
  if (picked?.step.knownTo.length) {
    await vscode.env.clipboard.writeText(picked.step.text);
    void vscode.window.showInformationMessage(`Copied. It is also used in ${picked.step.knownTo.join(", ")}.`);
    return;
  }
  const locations = picked?.step.locations.map((one) => client.protocol2CodeConverter.asLocation(one));
  if (locations) await showLocations(cursor, locations);
}

function entry(step: SimilarStep): vscode.QuickPickItem & { readonly step: SimilarStep } {
  if (step.knownTo.length) {
    return { label: `$(repo) ${step.text}`, description: "in another repository", detail: step.reasons.join("; "), step };
  }
  const apart = step.barredBy.length ? [`kept apart: ${step.barredBy.join(", ")}`] : [];
  return {
    label: step.text,
    description: `used ${counted(step.occurrences, "time")}`,
    detail: [...apart, ...step.reasons].join("; "),
    step,
  };
}

function isFeature(uri: vscode.Uri): boolean {
  return /\.feature(?:\.md)?$/u.test(uri.path);
}
