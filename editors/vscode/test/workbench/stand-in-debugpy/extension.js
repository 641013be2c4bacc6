// The debug adapter of debugpy, by the Python that a configuration names: all that the extension adds is left out.

const vscode = require("vscode");

exports.activate = ({ subscriptions }) => {
  subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("debugpy", {
      createDebugAdapterDescriptor: ({ configuration }) =>
        new vscode.DebugAdapterExecutable(configuration.python, ["-m", "debugpy.adapter"]),
    }),
  );
};
