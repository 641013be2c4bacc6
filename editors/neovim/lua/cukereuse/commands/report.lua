--- `:Cukereuse report`: the HTML report of the workspace, in the browser.

local client_of = require('cukereuse.client')
local server_of = require('cukereuse.server')
local workspace = require('cukereuse.workspace')

local M = {}

--- The editor's settings as the command line reads them from its environment (`minCount` is CUKEREUSE_MIN_COUNT): lists
--- are JSON, tables `key=value,…`.
---@param settings table
---@return table<string, string>
function M.environment(settings)
  local variables = {}
  for key, value in pairs(settings) do
    local name = 'CUKEREUSE_' .. key:gsub('%u', '_%0'):gsub('-', '_'):upper()
    if vim.env[name] then
      -- the user's environment wins
    elseif type(value) == 'string' then
      variables[name] = value
    elseif type(value) == 'table' and not vim.islist(value) then
      local pairs_of = {}
      for one, its in vim.spairs(value) do
        table.insert(pairs_of, ('%s=%s'):format(one, its))
      end
      variables[name] = table.concat(pairs_of, ',')
    else
      variables[name] = vim.json.encode(value)
    end
  end
  return variables
end

--- Where the report of a workspace goes.
---@param root string
---@return string
function M.file(root)
  local folder = vim.fs.joinpath(vim.fn.stdpath('cache'), 'cukereuse')
  vim.fn.mkdir(folder, 'p')
  return vim.fs.joinpath(folder, ('report-%s.html'):format(vim.fn.sha256(root):sub(1, 12)))
end

---@param bufnr integer
function M.command(bufnr)
  local client = client_of.of(bufnr)
  local root = client and client.root_dir or workspace.root(bufnr) or assert(vim.uv.cwd())
  local server = server_of.find_or_tell(root)
  if not server then
    return
  end
  local file = M.file(root)
  local settings = vim.tbl_get(vim.lsp.config.cukereuse or {}, 'settings', 'cukereuse') or {}
  -- offline: the server asks before a model is downloaded, a report never is the reason for it
  local argv = { 'scan', root, '--html', file, '--fail-on', 'off', '--offline' }
  argv = vim.list_extend(vim.deepcopy(server.argv), argv)
  client_of.notify('creating the report of ' .. root)
  vim.system(
    argv,
    { cwd = root, env = M.environment(settings), text = true },
    vim.schedule_wrap(function(ran)
      if ran.code ~= 0 then
        local said = vim.trim(ran.stderr or '')
        client_of.notify(
          'the report could not be created: ' .. (said ~= '' and said or 'exit code ' .. ran.code),
          vim.log.levels.ERROR
        )
        return
      end
      local _, problem = vim.ui.open(file)
      client_of.notify(problem and ('the report is in %s (%s)'):format(file, problem) or 'the report is in ' .. file)
    end)
  )
end

return M
