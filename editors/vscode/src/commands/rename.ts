// Rename All in Cluster: choose a phrasing, change it where wanted, see what would change, and change it.

import * as vscode from "vscode";
import type { LanguageClient } from "vscode-languageclient/node";
import {
  RENAME_CANDIDATES,
  RENAME_PLAN,
  type RefusedPlan,
  type RenameCandidate,
  type RenameCandidates,
  type RenamePlan,
} from "../protocol";
import type { Session } from "../session";
import { unlessReading } from "../status";
import { counted } from "../text";
import { cursorOf, parametersOf } from "./cursor";

const TITLE = "Rename All in Cluster";
const TYPING_MS = 200;

export async function renameCluster(session: Session, args: readonly unknown[]): Promise<void> {
  const client = await session.running();
  const cursor = client && cursorOf(client, args);
  if (!client) return;
  if (!cursor) {
    void vscode.window.showWarningMessage("Put the cursor on a step.");
    return;
  }
  const place = parametersOf(client, cursor);
  const { candidates } = await client.sendRequest<RenameCandidates>(RENAME_CANDIDATES, place);
  if (!candidates.length) {
    void vscode.window.showWarningMessage(await unlessReading(session, "There is no step at the cursor."));
    return;
  }
  const phrasing = await choosePhrasing(candidates);
  if (phrasing === undefined) return;
  const planner = new Planner(client, place);
  const wish = await askTarget(phrasing, planner);
  if (!wish) return;
  const plan = await planner.plan(wish.target);
  if ("refused" in plan) void vscode.window.showErrorMessage(`Nothing was renamed: ${plan.refused}.`);
  else await apply(client, plan, wish.review);
}

/** What can be renamed to, asked as the user types. */
class Planner {
  constructor(
    private readonly client: LanguageClient,
    private readonly place: object,
  ) {}

  plan(target: string): Promise<RenamePlan | RefusedPlan> {
    return this.client.sendRequest(RENAME_PLAN, { ...this.place, target, cluster: true });
  }
}

async function choosePhrasing(candidates: readonly RenameCandidate[]): Promise<string | undefined> {
  if (candidates.length === 1) return candidates[0]?.phrasing;
  const items = candidates.map((one) => ({
    label: one.phrasing,
    description: `used ${counted(one.occurrences, "time")}`,
    detail: one.text,
  }));
  const placeHolder = "Which wording stays? You can change it in the next step.";
  return (await vscode.window.showQuickPick(items, { title: TITLE, placeHolder }))?.label;
}

interface Wish {
  readonly target: string;
  /** Look at the changes before they are made. */
  readonly review: boolean;
}

const REVIEW: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("open-preview"),
  tooltip: "Preview the changes first",
};

/** An input box that says, while the user types, what would change or why nothing can. */
function askTarget(phrasing: string, planner: Planner): Promise<Wish | undefined> {
  return new Promise((resolve) => {
    const box = vscode.window.createInputBox();
    let timer: NodeJS.Timeout | undefined;
    let asked = 0;
    const check = async (): Promise<boolean> => {
      const number = ++asked;
      box.busy = true;
      const said = await planner.plan(box.value).then(describe, (error: unknown) => refusal(String(error)));
      if (number !== asked) return false;
      box.busy = false;
      box.validationMessage = said;
      return said.severity !== vscode.InputBoxValidationSeverity.Error;
    };
    const accept = async (review: boolean): Promise<void> => {
      clearTimeout(timer);
      if (!(await check())) return;
      resolve({ target: box.value, review });
      box.hide();
    };
    box.title = TITLE;
    box.value = phrasing;
    box.prompt = "{1} stands for the first argument; {{ for a brace.";
    box.buttons = [REVIEW];
    box.onDidChangeValue(() => {
      clearTimeout(timer);
      timer = setTimeout(() => void check(), TYPING_MS);
    });
    box.onDidAccept(() => accept(false));
    box.onDidTriggerButton(() => accept(true));
    box.onDidHide(() => {
      clearTimeout(timer);
      asked = -1;
      resolve(undefined); // without effect where it was accepted
      box.dispose();
    });
    box.show();
    void check();
  });
}

function describe(plan: RenamePlan | RefusedPlan): vscode.InputBoxValidationMessage {
  if ("refused" in plan) return refusal(plan.refused);
  const leftOut = plan.leftOut.reduce((sum, one) => sum + one.occurrences, 0);
  const more = leftOut ? `; ${counted(leftOut, "step")} can't follow: ${plan.leftOut[0]?.reason}` : "";
  return {
    message: `Changes ${counted(plan.steps, "step")} in ${counted(plan.files, "file")}${more}. Enter renames.`,
    severity: leftOut || plan.warnings.length ? vscode.InputBoxValidationSeverity.Warning : vscode.InputBoxValidationSeverity.Info,
  };
}

function refusal(reason: string): vscode.InputBoxValidationMessage {
  return { message: reason, severity: vscode.InputBoxValidationSeverity.Error };
}

async function apply(client: LanguageClient, plan: RenamePlan, review: boolean): Promise<void> {
  const edit = await client.protocol2CodeConverter.asWorkspaceEdit(plan.edit);
  if (review) askForPreview(edit);
  if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: true }))) {
    // leaving the preview is no failure
    if (!review) void vscode.window.showErrorMessage("Nothing was renamed: a file has changed in between.");
    return;
  }
  for (const warning of plan.warnings) void vscode.window.showWarningMessage(warning);
  const save = "Save All";
  const done = `Renamed ${counted(plan.steps, "step")} in ${counted(plan.files, "file")}. One undo takes it back.`;
  // VS Code saves refactored files itself, unless a setting says otherwise
  const unsaved = vscode.workspace.textDocuments.some((document) => document.isDirty);
  void vscode.window.showInformationMessage(done, ...(unsaved ? [save] : [])).then((answer) => {
    if (answer === save) void vscode.workspace.saveAll(false);
  });
}

/**
 * VS Code opens its preview for edits that need confirmation, and leaves those unchecked. So one that does nothing asks
 * for it: a file is made unless it is there, which the preview does not even list. All others are checked.
 */
function askForPreview(edit: vscode.WorkspaceEdit): void {
  const uri = edit.entries()[0]?.[0];
  if (uri) edit.createFile(uri, { ignoreIfExists: true }, { needsConfirmation: true, label: TITLE });
}
