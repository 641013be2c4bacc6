// Rename All Wordings: choose a phrasing, change it where wanted, see what would change, and change it.

import * as path from "node:path";
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
import { reach } from "../walkthrough";
import { atStep, parametersOf } from "./cursor";

const TITLE = "Rename All Wordings";
const TYPING_MS = 200;

/** What an input box asks for: its title, a line of help, and what to say of each text that is typed. */
export interface Question {
  readonly title: string;
  readonly prompt: string;
  readonly describe: (text: string) => Promise<vscode.InputBoxValidationMessage>;
}

export async function renameCluster(session: Session, args: readonly unknown[]): Promise<void> {
  const step = await atStep(session, args);
  if (!step) return;
  const { client, cursor } = step;
  const place = parametersOf(client, cursor);
  const { candidates } = await client.sendRequest<RenameCandidates>(RENAME_CANDIDATES, place);
  if (!candidates.length) {
    void vscode.window.showWarningMessage(await unlessReading(session, "There is no step at the cursor."));
    return;
  }
  const phrasing = await choosePhrasing(candidates);
  if (phrasing === undefined) return;
  const planner = new Planner(client, place);
  const wish = await askTarget(phrasing, {
    title: TITLE,
    prompt: "{1} stands for the first argument; write {{ for a literal brace.",
    describe: (text) => planner.plan(text).then(describe),
  });
  if (!wish) return;
  // what it needs the user for was told in the input box
  const plan = await planner.plan(wish.target, !wish.review);
  if ("refused" in plan) void vscode.window.showErrorMessage(`Nothing was renamed: ${plan.refused}.`);
  else await apply(client, plan, wish.review);
}

/** What can be renamed to, asked as the user types. */
class Planner {
  constructor(
    private readonly client: LanguageClient,
    private readonly place: object,
  ) {}

  plan(target: string, confirmed = false): Promise<RenamePlan | RefusedPlan> {
    return this.client.sendRequest(RENAME_PLAN, { ...this.place, target, cluster: true, confirmed });
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

export interface Wish {
  readonly target: string;
  /** Look at the changes before they are made. */
  readonly review: boolean;
}

const REVIEW: vscode.QuickInputButton = {
  iconPath: new vscode.ThemeIcon("open-preview"),
  tooltip: "Preview the changes first",
};

/** An input box that says, while the user types, what would change or why nothing can. */
export function askTarget(phrasing: string, question: Question): Promise<Wish | undefined> {
  return new Promise((resolve) => {
    const box = vscode.window.createInputBox();
    let timer: NodeJS.Timeout | undefined;
    let asked = 0;
    const check = async (): Promise<boolean> => {
      const number = ++asked;
      box.busy = true;
      const said = await question.describe(box.value).catch((error: unknown) => refusal(String(error)));
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
    box.title = question.title;
    box.value = phrasing;
    box.prompt = question.prompt;
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
    message: [
      `Changes ${counted(plan.steps, "step")} in ${counted(plan.files, "file")}${more}. Enter renames.`,
      ...plan.warnings.slice(0, 2),
    ].join("\n"),
    severity: leftOut || plan.warnings.length ? vscode.InputBoxValidationSeverity.Warning : vscode.InputBoxValidationSeverity.Info,
  };
}

export function refusal(reason: string): vscode.InputBoxValidationMessage {
  return { message: reason, severity: vscode.InputBoxValidationSeverity.Error };
}

async function apply(client: LanguageClient, plan: RenamePlan, review: boolean): Promise<void> {
  const doubt = withoutConfirmation(plan.edit);
  const edit = await client.protocol2CodeConverter.asWorkspaceEdit(plan.edit);
  if (review || doubt) askForPreview(edit, doubt);
  if (!(await vscode.workspace.applyEdit(edit, { isRefactoring: true }))) {
    // leaving the preview is no failure
    if (!review && !doubt) void vscode.window.showErrorMessage("Nothing was renamed because a file has changed in the meantime.");
    return;
  }
  reach("clusterRenamed");
  const save = "Save All";
  const places = "Show Notes";
  const notes = [...plan.leftOut.map((one) => `${one.text} keeps its wording: ${one.reason}`), ...plan.warnings];
  const told = notes.length ? ` ${counted(notes.length, "note")}.` : "";
  const done = `Renamed ${counted(plan.steps, "step")} in ${counted(plan.files, "file")}. A single undo reverts it.${told}`;
  // VS Code saves refactored files itself, unless a setting says otherwise
  const unsaved = vscode.workspace.textDocuments.some((document) => document.isDirty);
  const choices = [...(unsaved ? [save] : []), ...(notes.length ? [places] : [])];
  void vscode.window.showInformationMessage(done, ...choices).then((answer) => {
    if (answer === save) void vscode.workspace.saveAll(false);
    if (answer === places) void showNotes(notes);
  });
}

/** A list; a note that names a place, `path:line`, leads there. */
async function showNotes(notes: readonly string[]): Promise<void> {
  const picked = await vscode.window.showQuickPick(notes, { title: TITLE, placeHolder: "Notes" });
  const place = picked && /((?:[A-Za-z]:)?[^\s:(),]+):(\d+)/u.exec(picked);
  const folder = vscode.workspace.workspaceFolders?.[0];
  if (!place?.[1] || !folder) return;
  const uri = path.isAbsolute(place[1]) ? vscode.Uri.file(place[1]) : vscode.Uri.joinPath(folder.uri, place[1]);
  const at = new vscode.Position(Number(place[2]) - 1, 0);
  await vscode.window.showTextDocument(uri, { selection: new vscode.Range(at, at) });
}

/**
 * Why the server wants its edits looked at; they ask for it no more. The user chose this rename, and a preview in which
 * nothing is checked would do nothing.
 */
function withoutConfirmation(edit: RenamePlan["edit"]): string | undefined {
  const asking = Object.values(edit.changeAnnotations ?? {}).filter((one) => one.needsConfirmation);
  for (const one of asking) one.needsConfirmation = false;
  return asking[0]?.label;
}

/**
 * VS Code opens its preview for edits that need confirmation, and leaves those unchecked. So one that does nothing asks
 * for it: a file is made unless it is there, which the preview does not even list. All others are checked.
 */
export function askForPreview(edit: vscode.WorkspaceEdit, label = TITLE): void {
  const uri = edit.entries()[0]?.[0];
  if (uri) edit.createFile(uri, { ignoreIfExists: true }, { needsConfirmation: true, label });
}
