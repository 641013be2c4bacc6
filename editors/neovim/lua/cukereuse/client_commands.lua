--- Commands that only an editor can run. The server puts them into code actions and code lenses of clients that declare
--- them. Most arguments name a step: `{ textDocument, position }`, or its URI and position.

---@param command lsp.Command
---@return table
local function place_of(command)
  local first, second = unpack(command.arguments or {})
  return type(first) == 'table' and first or { textDocument = { uri = first }, position = second }
end

---@type table<string, fun(command: lsp.Command, context: { bufnr: integer, client_id: integer })>
return {
  ['cukereuse.findSimilarSteps'] = function(command, context)
    require('cukereuse.commands.similar').of_step(context.bufnr, place_of(command))
  end,
  ['cukereuse.renameCluster'] = function(command, context)
    require('cukereuse.commands.rename').run(context.bufnr, place_of(command))
  end,
  ['cukereuse.extractSteps'] = function(command, context)
    require('cukereuse.commands.extract').run(context.bufnr, place_of(command))
  end,
  ['cukereuse.dropRest'] = function(command)
    require('cukereuse.completing').drop_rest(command.arguments[1])
  end,
  ['cukereuse.run'] = function(command, context)
    require('cukereuse.commands.run').run(context.bufnr, command.arguments[2])
  end,
  ['cukereuse.showReferences'] = function(command, context)
    local client_of = require('cukereuse.client')
    local client = vim.lsp.get_client_by_id(context.client_id)
    if client then
      local params = vim.tbl_extend('error', { context = { includeDeclaration = false } }, place_of(command))
      client_of.request(client, 'textDocument/references', params, function(locations)
        client_of.show(command.title, locations or {}, client)
      end, context.bufnr)
    end
  end,
  ['cukereuse.showWordings'] = function(command, context)
    local client_of = require('cukereuse.client')
    local client = vim.lsp.get_client_by_id(context.client_id)
    if client then
      client_of.request(client, 'cukereuse/wordings', place_of(command), function(found)
        client_of.show(command.title, found and found.locations or {}, client)
      end, context.bufnr)
    end
  end,
}
