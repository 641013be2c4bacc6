--- What Neovim's own completion leaves undone.

local M = {}

--- An item that was accepted in the middle of a line replaces the whole step; Neovim replaces what is before the cursor
--- only. Plugins of completion do all of it, and have no `v:completed_item`.
---@param rest string what stood behind the cursor
function M.drop_rest(rest)
  local accepted = vim.tbl_get(vim.v.completed_item or {}, 'user_data', 'nvim', 'lsp', 'completion_item')
  local line = vim.api.nvim_get_current_line()
  local row = vim.api.nvim_win_get_cursor(0)[1] - 1
  local text = line:gsub('%s+$', '')
  if accepted and vim.endswith(text, rest) then
    vim.api.nvim_buf_set_text(0, row, #text - #rest, row, #text, { '' })
  end
end

return M
