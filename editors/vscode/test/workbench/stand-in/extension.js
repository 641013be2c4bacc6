// Completes one step, knows one step definition and the scenarios, as the official extension would.

const vscode = require("vscode");

exports.activate = ({ subscriptions }) => {
  const { languages, SymbolKind, Position } = vscode;
  subscriptions.push(
    languages.registerCompletionItemProvider("cucumber", {
      provideCompletionItems: () => [{ label: 'I am logged in as "anna"' }],
    }),
    languages.registerDefinitionProvider("cucumber", {
      provideDefinition: async () => {
        const [file] = await vscode.workspace.findFiles("features/steps/shop.py");
        return new vscode.Location(file, new Position(0, 0));
      },
    }),
    languages.registerDocumentSymbolProvider("cucumber", {
      provideDocumentSymbols: (document) =>
        document
          .getText()
          .split("\n")
          .flatMap((text, line) => {
            const name = /^\s*Scenario: (.*)$/u.exec(text)?.[1];
            const { range } = document.lineAt(line);
            return name ? [new vscode.DocumentSymbol(name, "", SymbolKind.Function, range, range)] : [];
          }),
    }),
  );
};
