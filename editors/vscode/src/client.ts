// The language client: what it attaches to, what it declares, and which answers it leaves to other extensions.

import * as vscode from "vscode";
import {
  CloseAction,
  ErrorAction,
  type ErrorHandler,
  LanguageClient,
  type LanguageClientOptions,
  type Middleware,
  RevealOutputChannelOn,
  ShowMessageRequest,
  State,
  type WorkDoneProgressBegin,
  type WorkDoneProgressEnd,
  type WorkDoneProgressReport,
} from "vscode-languageclient/node";
import { CLIENT_COMMANDS } from "./commands/sentByServer";
import { GLUE } from "./languages";
import { type Feature, type Switch, isOn } from "./neighbours";
import type { Prompts } from "./prompts";
import { explicitSettings, serverKeys } from "./settings";
import { WORDING_USED } from "./walkthrough";

/** Languages whose files hold step definitions: references and definitions work there too. */
const FEATURES = ["**/*.feature", "**/*.feature.md"];

export type Progress = WorkDoneProgressBegin | WorkDoneProgressReport | WorkDoneProgressEnd;

export interface ClientParts {
  readonly command: string;
  readonly context: vscode.ExtensionContext;
  readonly log: vscode.LogOutputChannel;
  readonly onProgress: (token: string | number, value: Progress) => void;
  /** Whether findings of files that are not open are shown, whatever the setting says. */
  readonly scanning: () => boolean;
  readonly prompts: Prompts;
}

/** Failures go to the log; what the user must know the session says, once. */
class QuietClient extends LanguageClient {
  override error(message: string, data?: unknown): void {
    super.error(message, data, false);
  }
}

export function createClient(parts: ClientParts): LanguageClient {
  const { command, context, log } = parts;
  const settings = (scope?: string): Record<string, unknown> => ({
    ...settingsFor(context, scope),
    ...(parts.scanning() && { workspaceDiagnostics: true }),
  });
  const options: LanguageClientOptions = {
    documentSelector: [
      { scheme: "file", language: "cucumber" },
      ...FEATURES.map((pattern) => ({ scheme: "file", pattern })),
      ...GLUE.map((language) => ({ scheme: "file", language })),
    ],
    initializationOptions: { commands: CLIENT_COMMANDS, settings: settings() },
    outputChannel: log,
    traceOutputChannel: log,
    revealOutputChannelOn: RevealOutputChannelOn.Never,
    middleware: middleware(settings, parts.onProgress),
    markdown: { isTrusted: { enabledCommands: [...CLIENT_COMMANDS] } },
    initializationFailedHandler: () => false,
  };
  const client = new QuietClient("cukereuse", "Cukereuse", { command, args: ["serve"] }, options);
  // the server's questions stand in one queue with the extension's own
  client.onRequest(ShowMessageRequest.type, ({ message, actions = [] }) =>
    parts.prompts.inTurn(() => vscode.window.showInformationMessage(message, ...actions)),
  );
  client.clientOptions.errorHandler = errorHandler(client);
  return client;
}

/** As usual, save that a server which never ran is not started again: `start` has failed then, and the session says so. */
function errorHandler(client: LanguageClient): ErrorHandler {
  const usual = client.createDefaultErrorHandler();
  let ran = false;
  client.onDidChangeState(({ newState }) => {
    ran ||= newState === State.Running;
  });
  return {
    error: (error, message, count) =>
      ran ? usual.error(error, message, count) : { action: ErrorAction.Continue, handled: true },
    closed: () => (ran ? usual.closed() : { action: CloseAction.DoNotRestart, handled: true }),
  };
}

interface Manifest {
  readonly contributes: { readonly configuration: readonly { readonly properties: object }[] };
}

type Settings = (scope?: string) => Record<string, unknown>;

function middleware(settings: Settings, onProgress: ClientParts["onProgress"]): Middleware {
  return {
    provideCompletionItem: (document, position, context, token, next) =>
      enabled("completion") ? next(document, position, context, token) : undefined,
    provideDefinition: (document, position, token, next) =>
      enabled("definition") || GLUE.includes(document.languageId) ? next(document, position, token) : undefined,
    provideDocumentSymbols: (document, token, next) => (enabled("symbols") ? next(document, token) : undefined),
    provideCodeActions: async (document, range, context, token, next) => {
      const actions = await next(document, range, context, token);
      for (const action of actions ?? []) {
        // VS Code resolves an action that is only looked at, and runs its command once it is taken
        if (usesWording(action)) action.command ??= { title: "", command: WORDING_USED };
      }
      return actions;
    },
    handleWorkDoneProgress: (token, params) => onProgress(token, params),
    workspace: {
      configuration: async (params, token, next) => {
        const answers = await next(params, token);
        if (!Array.isArray(answers)) return answers;
        return params.items.map(({ section, scopeUri }, index) =>
          section === "cukereuse" ? settings(scopeUri) : (answers[index] as unknown),
        );
      },
    },
  };
}

/** Whether an action is *Use existing step*. */
function usesWording(action: vscode.Command | vscode.CodeAction): action is vscode.CodeAction {
  return (action as { readonly data?: { readonly do?: unknown } }).data?.do === "use";
}

/** Symbols have no switch of their own: the server's `disabledFeatures` takes them away. */
function enabled(feature: Feature): boolean {
  const setting = vscode.workspace.getConfiguration("cukereuse").get<Switch>(feature);
  return isOn(feature, setting, (id) => vscode.extensions.getExtension(id) !== undefined);
}

/** What the user set of the server's settings, for one resource or for the window. */
export function settingsFor(context: vscode.ExtensionContext, scope?: string): Record<string, unknown> {
  const { contributes } = context.extension.packageJSON as Manifest;
  const keys = serverKeys(contributes.configuration.flatMap((group) => Object.keys(group.properties)));
  const configuration = vscode.workspace.getConfiguration("cukereuse", scope ? vscode.Uri.parse(scope) : null);
  return explicitSettings(keys, (key) => configuration.inspect(key));
}
