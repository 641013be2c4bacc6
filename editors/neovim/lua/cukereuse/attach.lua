--- What happens once for a client and once for a buffer when the server attaches.

local client_of = require('cukereuse.client')
local keys = require('cukereuse.keys')
local options = require('cukereuse.options')
local server_of = require('cukereuse.server')
local watch = require('cukereuse.watch')
local workspace = require('cukereuse.workspace')

local M = {}

---@type table<integer, true> ids of clients that have been met
local met = {}

--- Glue code that was opened before the first feature file.
---@param client vim.lsp.Client
local function attach_others(client)
  local filetypes = client.config.filetypes or workspace.filetypes()
  for _, bufnr in ipairs(vim.api.nvim_list_bufs()) do
    local is_file = vim.api.nvim_buf_is_loaded(bufnr) and vim.bo[bufnr].buftype == ''
    if is_file and vim.list_contains(filetypes, vim.bo[bufnr].filetype) and not client.attached_buffers[bufnr] then
      if workspace.root(bufnr) == client.root_dir then
        vim.lsp.buf_attach_client(bufnr, client.id)
      end
    end
  end
end

---@param client vim.lsp.Client
local function meet(client)
  for _, problem in ipairs(select(2, options.read())) do
    client_of.notify(problem, vim.log.levels.WARN)
  end
  local version = vim.tbl_get(client.server_info or {}, 'version')
  if version and not server_of.fits(version) then
    client_of.notify(server_of.misfit(version), vim.log.levels.WARN)
  end
  if client.root_dir and watch.needed(client) then
    watch.start(client)
  end
  vim.schedule(function()
    if not client:is_stopped() then
      attach_others(client)
    end
  end)
end

---@param bufnr integer
local function keep_lenses(bufnr)
  local function refresh()
    if not client_of.of(bufnr) then
      return true -- the server is gone, and so is this autocommand
    end
    vim.lsp.codelens.refresh({ bufnr = bufnr })
  end
  vim.api.nvim_create_autocmd({ 'BufEnter', 'CursorHold', 'InsertLeave', 'BufWritePost' }, {
    group = vim.api.nvim_create_augroup('cukereuse.lens.' .. bufnr, {}),
    buffer = bufnr,
    desc = 'cukereuse: code lenses follow',
    callback = refresh,
  })
  refresh()
end

--- Neovim inserts a placeholder for what |i_CTRL-X_CTRL-O| offers, and puts the step in its place only where its own
--- completion is enabled. A user who enables it when the server attaches comes first, with options of their own.
---@param client vim.lsp.Client
---@param bufnr integer
local function complete_whole_steps(client, bufnr)
  vim.schedule(function()
    if client.attached_buffers[bufnr] then
      vim.lsp.completion.enable(true, client.id, bufnr)
    end
  end)
end

---@param client vim.lsp.Client
---@param bufnr integer
function M.attached(client, bufnr)
  if not met[client.id] then
    met[client.id] = true
    meet(client)
  end
  keys.restore(bufnr, client)
  if vim.bo[bufnr].filetype == 'cucumber' and client:supports_method('textDocument/completion') then
    complete_whole_steps(client, bufnr)
  end
  if options.read().code_lens and client:supports_method('textDocument/codeLens') then
    keep_lenses(bufnr)
  end
end

return M
