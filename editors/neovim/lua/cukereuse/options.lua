--- What the user sets in `vim.g.cukereuse`. Settings of the server itself are in `vim.lsp.config`.

local M = {}

---@class cukereuse.Options
---@field server string The `cukereuse` command, or the Python environment that holds it; empty: looked for.
---@field code_lens boolean Show how often a step is used above it, and keep that up to date.

---@type cukereuse.Options
local DEFAULTS = { server = '', code_lens = false }

--- Options with their defaults, and what is wrong with those that were given.
---@return cukereuse.Options options
---@return string[] problems
function M.read()
  local given = vim.g.cukereuse
  local options = vim.deepcopy(DEFAULTS)
  if given == nil then
    return options, {}
  end
  if type(given) ~= 'table' then
    return options, { 'vim.g.cukereuse must be a table' }
  end
  local problems = {}
  for key, value in vim.spairs(given) do
    local default = DEFAULTS[key]
    if default == nil then
      table.insert(problems, ('vim.g.cukereuse.%s is not an option; the options are: %s'):format(key, M.names()))
    elseif type(value) ~= type(default) then
      table.insert(problems, ('vim.g.cukereuse.%s must be a %s'):format(key, type(default)))
    else
      options[key] = value
    end
  end
  return options, problems
end

---@return string
function M.names()
  local names = vim.tbl_keys(DEFAULTS)
  table.sort(names)
  return table.concat(names, ', ')
end

return M
