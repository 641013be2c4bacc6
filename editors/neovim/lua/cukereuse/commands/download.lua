--- `:Cukereuse download`: the embedding model, by which steps are compared by their meaning.

local client_of = require('cukereuse.client')

local M = {}

--- The server shows its progress, and says what goes wrong.
---@param bufnr integer
function M.command(bufnr)
  local client = client_of.need(bufnr)
  if client then
    local params = { command = 'cukereuse.downloadModel' }
    client_of.request(client, 'workspace/executeCommand', params, function() end, bufnr)
  end
end

return M
