--- Tells the server what changed on disk where Neovim watches no files (on Linux, by default): what was written in
--- Neovim at once, everything else when Neovim gets the focus back or a shell command has ended.

local workspace = require('cukereuse.workspace')

local M = {}

local DELAY_MS = 200
local CHANGED = vim.lsp.protocol.FileChangeType.Changed

---@param client vim.lsp.Client
---@return boolean
function M.needed(client)
  return not vim.tbl_get(client.capabilities, 'workspace', 'didChangeWatchedFiles', 'dynamicRegistration')
end

---@param client vim.lsp.Client
---@param path string a file, or a folder with everything in it
function M.tell(client, path)
  client:notify('workspace/didChangeWatchedFiles', { changes = { { uri = vim.uri_from_fname(path), type = CHANGED } } })
end

--- Lasts as long as the client.
---@param client vim.lsp.Client
function M.start(client)
  local group = vim.api.nvim_create_augroup('cukereuse.watch.' .. client.id, {})
  local waiting = false

  local function written(event)
    if client:is_stopped() then
      return true
    end
    local path = vim.fs.normalize(vim.fs.abspath(event.match))
    -- of attached buffers the server hears by itself
    if not client.attached_buffers[event.buf] and workspace.is_below(path, client.root_dir) then
      M.tell(client, path)
    end
  end

  local function look_at_all()
    if client:is_stopped() then
      return true
    end
    if waiting then
      return
    end
    waiting = true
    vim.defer_fn(function()
      waiting = false
      if not client:is_stopped() then
        M.tell(client, client.root_dir)
      end
    end, DELAY_MS)
  end

  vim.api.nvim_create_autocmd('BufWritePost', {
    group = group,
    desc = 'cukereuse: a file was written',
    callback = written,
  })
  vim.api.nvim_create_autocmd({ 'FocusGained', 'VimResume', 'ShellCmdPost', 'TermLeave', 'TermClose' }, {
    group = group,
    desc = 'cukereuse: something else may have changed files',
    callback = look_at_all,
  })
end

return M
