--- `:Cukereuse debug`: as `:Cukereuse run`, under the plugin nvim-dap. The server names what a debugger starts.

local client_of = require('cukereuse.client')
local run = require('cukereuse.commands.run')

local M = {}

--- Plugins that set up an adapter of nvim-dap.
local ADAPTERS = { debugpy = 'nvim-dap-python' }

---@param message string
local function refuse(message)
  client_of.notify('The scenario is not debugged: ' .. message, vim.log.levels.WARN)
end

---@param bufnr integer
function M.command(bufnr)
  local has_dap, dap = pcall(require, 'dap')
  if not has_dap then
    return refuse('the plugin nvim-dap is missing')
  end
  run.find(bufnr, nil, function(_, folder, item)
    local launch = item and type(item.debug) == 'table' and item.debug
    if not item or not launch then
      refuse("no debugger is known for this suite's runner")
    elseif not dap.adapters[launch.type] then
      local plugin = ADAPTERS[launch.type]
      refuse(('nvim-dap has no adapter `%s`%s'):format(launch.type, plugin and ('; set up ' .. plugin) or ''))
    else
      local common = { name = item.name, request = 'launch', cwd = folder, console = 'internalConsole' }
      dap.run(vim.tbl_extend('force', common, launch))
    end
  end)
end

return M
