--- Commands that only an editor can run. The server puts them into code actions and code lenses of clients that declare
--- them; each has one argument.

---@type table<string, fun(command: lsp.Command, context: { bufnr: integer, client_id: integer })>
return {
  ['cukereuse.findSimilarSteps'] = function(command, context)
    require('cukereuse.similar').of_step(context.bufnr, (command.arguments or {})[1])
  end,
  ['cukereuse.renameCluster'] = function(command, context)
    require('cukereuse.rename').run(context.bufnr, (command.arguments or {})[1])
  end,
  ['cukereuse.showReferences'] = function(command, context)
    local client = vim.lsp.get_client_by_id(context.client_id)
    local given = (command.arguments or {})[1] or {}
    if client then
      require('cukereuse.client').show(command.title or 'Steps', given.locations or {}, client)
    end
  end,
}
