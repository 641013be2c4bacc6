// Extract These Steps: choose the words of the step that stands in place of a block, see what would change, change it.

import * as vscode from "vscode";
import { EXTRACT_PLAN, type ExtractPlan, type RefusedPlan } from "../protocol";
import type { Session } from "../session";
import { unlessReading } from "../status";
import { counted } from "../text";
import { atStep, parametersOf } from "./cursor";
import { askForPreview, askTarget, refusal } from "./rename";

const TITLE = "Extract These Steps into One Step";

export async function extractSteps(session: Session, args: readonly unknown[]): Promise<void> {
  const step = await atStep(session, args);
  if (!step) return;
  const { client, cursor } = step;
  const block = (args[0] as { block?: unknown } | undefined)?.block;
  const place = { ...parametersOf(client, cursor), ...(typeof block === "string" ? { block } : {}) };
  const plan = (wording?: string): Promise<ExtractPlan | RefusedPlan> =>
    client.sendRequest(EXTRACT_PLAN, { ...place, ...(wording === undefined ? {} : { wording }) });
  const proposed = await plan();
  if ("refused" in proposed) {
    void vscode.window.showWarningMessage(await unlessReading(session, `Nothing can be extracted: ${proposed.refused}.`));
    return;
  }
  const wish = await askTarget(proposed.wording, {
    title: TITLE,
    prompt: "Each {name} is an argument that varies; write {{ for a literal brace.",
    describe: (text) => plan(text).then(describe),
  });
  if (!wish) return;
  const chosen = await plan(wish.target);
  if ("refused" in chosen) {
    void vscode.window.showErrorMessage(`Nothing was extracted: ${chosen.refused}.`);
    return;
  }
  const edit = await client.protocol2CodeConverter.asWorkspaceEdit(chosen.edit);
  if (wish.review) askForPreview(edit, TITLE);
  if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: true }))) {
    // leaving the preview is no failure
    if (!wish.review) void vscode.window.showErrorMessage("Nothing was extracted because a file has changed in the meantime.");
    return;
  }
  void vscode.window.showInformationMessage(`Extracted ${told(chosen)}. A single undo reverts it.`);
}

function told(plan: ExtractPlan): string {
  return `${counted(plan.places, "place")} in ${counted(plan.files, "file")}`;
}

function describe(plan: ExtractPlan | RefusedPlan): vscode.InputBoxValidationMessage {
  if ("refused" in plan) return refusal(plan.refused);
  const severity = vscode.InputBoxValidationSeverity[plan.warnings.length ? "Warning" : "Info"];
  return { message: [`Changes ${told(plan)}. Press Enter to extract.`, ...plan.warnings.slice(0, 2)].join("\n"), severity };
}
