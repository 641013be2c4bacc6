--- `:Cukereuse restart`: the server is stopped and started again.

local client_of = require('cukereuse.client')

local M = {}

function M.command()
  if not vim.lsp.is_enabled('cukereuse') then
    client_of.notify("it is not enabled; put vim.lsp.enable('cukereuse') into your init.lua", vim.log.levels.WARN)
    return
  end
  local clients = vim.lsp.get_clients({ name = 'cukereuse' })
  vim.lsp.enable('cukereuse', false)
  vim.wait(3000, function()
    return vim.iter(clients):all(function(client)
      return client.rpc.is_closing()
    end)
  end, 20)
  vim.lsp.enable('cukereuse')
end

return M
