--- `:Cukereuse status`: what serves, and how much it knows.

local client_of = require('cukereuse.client')

local M = {}

--- Lines for a person about what `cukereuse/status` answered.
---@param status table
---@return string[]
function M.lines(status)
  if status.failed then
    return { 'the server has stopped; see `:Cukereuse log` for the reason, and restart it with `:Cukereuse restart`' }
  end
  local lines = { ('server %s%s'):format(status.version, status.complete and '' or ', still reading') }
  for _, suite in ipairs(status.suites or {}) do
    local counts = {
      client_of.counted(suite.files, 'file'),
      client_of.counted(suite.steps, 'step'),
      client_of.counted(suite.texts, 'text'),
      client_of.counted(suite.definitions, 'step definition'),
    }
    table.insert(lines, ('%s: %s'):format(suite.root, table.concat(counts, ', ')))
  end
  local model = status.model or ''
  local lexical = 'only wordings are compared: no language model; `:Cukereuse download` downloads it'
  table.insert(lines, model ~= '' and 'model ' .. model or lexical)
  return lines
end

---@param bufnr integer
function M.command(bufnr)
  local client = client_of.need(bufnr)
  if not client then
    return
  end
  client_of.request(client, 'cukereuse/status', vim.empty_dict(), function(status)
    local findings = vim.tbl_filter(function(one)
      return one.source == 'cukereuse' and one.code ~= 'unread'
    end, vim.diagnostic.get())
    local lines = M.lines(status)
    table.insert(lines, client_of.counted(#findings, 'finding') .. ' in open files')
    vim.api.nvim_echo({ { table.concat(lines, '\n') } }, true, {})
  end, bufnr)
end

return M
