--- `:Cukereuse run`: a scenario by the suite's own runner, in a terminal. The server names the command; nothing runs
--- unless the user asks for it.

local client_of = require('cukereuse.client')

local M = {}

local HEIGHT = 15
local SETTING = 'set a command in the setting `runCommand` of the section `cukereuse`'
local UNKNOWN = 'cukereuse does not know how to run this suite; ' .. SETTING
local NOT_STARTED = "%s can't be started: install it on PATH, or " .. SETTING

--- The scenario around a line, else the feature.
---@param items table[]
---@param line integer from 0
---@return table?
local function at(items, line)
  local found ---@type table?
  for _, one in ipairs(items) do
    if one.range.start.line <= line and line < one.range['end'].line then
      found = one
    end
  end
  return found or items[1]
end

---@param folder string
---@param command string[]
local function start(folder, command)
  local window = vim.api.nvim_get_current_win()
  vim.cmd(('botright %dnew'):format(HEIGHT))
  local started, job = pcall(vim.fn.jobstart, command, { cwd = folder, term = true })
  if not started or job <= 0 then
    vim.cmd('bwipeout!')
    client_of.notify(NOT_STARTED:format(command[1]), vim.log.levels.ERROR)
  else
    vim.cmd.normal({ 'G', bang = true }) -- what comes is followed
  end
  vim.api.nvim_set_current_win(window)
end

--- What stands around a line, or the cursor; nil where the server knows no command.
---@param bufnr integer
---@param line? integer from 0
---@param use fun(client: vim.lsp.Client, folder: string, item: table?)
function M.find(bufnr, line, use)
  local client = client_of.need(bufnr)
  if not client then
    return
  end
  line = line or vim.api.nvim_win_get_cursor(0)[1] - 1
  if vim.bo[bufnr].modified then
    vim.api.nvim_buf_call(bufnr, vim.cmd.update) -- runners read what is on disk
  end
  local params = { textDocument = vim.lsp.util.make_text_document_params(bufnr) }
  client_of.request(client, 'cukereuse/runs', params, function(found)
    local item = at(found and found.items or {}, line)
    use(client, found and found.folder, item and #item.command > 0 and item or nil)
  end, bufnr)
end

---@param bufnr integer
---@param line? integer from 0
function M.run(bufnr, line)
  M.find(bufnr, line, function(client, folder, item)
    if item then
      start(folder, item.command)
    else
      client_of.nothing(client, UNKNOWN)
    end
  end)
end

---@param bufnr integer
function M.command(bufnr)
  M.run(bufnr)
end

return M
