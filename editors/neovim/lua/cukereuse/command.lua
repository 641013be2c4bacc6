--- `:Cukereuse SUBCOMMAND`: each is a file of `commands/`, with what it does in `command(bufnr, rest)`.

local client_of = require('cukereuse.client')

local M = {}

local FOLDER = vim.fs.joinpath(vim.fs.dirname(debug.getinfo(1, 'S').source:sub(2)), 'commands')

---@return string[]
local function names()
  local found = {} ---@type string[]
  for file in vim.fs.dir(FOLDER) do
    table.insert(found, file:match('^(%l+)%.lua$'))
  end
  table.sort(found)
  return found
end

---@param call vim.api.keyset.create_user_command.command_args
function M.run(call)
  local name, rest = call.args:match('^(%S*)%s*(.-)%s*$')
  if vim.tbl_contains(names(), name) then
    require('cukereuse.commands.' .. name).command(vim.api.nvim_get_current_buf(), rest)
  else
    client_of.notify(('`:Cukereuse` needs a subcommand: %s'):format(table.concat(names(), ', ')), vim.log.levels.ERROR)
  end
end

---@param lead string
---@param line string
---@return string[]
function M.complete(lead, line)
  if line:match('^%S+%s+%S+%s') then
    return {}
  end
  return vim.tbl_filter(function(name)
    return vim.startswith(name, lead)
  end, names())
end

return M
