--- `:Cukereuse log`: what Neovim has logged of its language servers.

local M = {}

function M.command()
  vim.cmd.tabnew(vim.fn.fnameescape(vim.lsp.log.get_filename()))
  vim.bo.autoread = true
  vim.cmd.normal({ 'G', bang = true })
end

return M
