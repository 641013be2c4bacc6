--- `:Cukereuse SUBCOMMAND`.

local client_of = require('cukereuse.client')

local M = {}

local function log()
  vim.cmd.tabnew(vim.fn.fnameescape(vim.lsp.log.get_filename()))
  vim.bo.autoread = true
  vim.cmd.normal({ 'G', bang = true })
end

local function restart()
  if not vim.lsp.is_enabled('cukereuse') then
    client_of.notify("it is not enabled; put vim.lsp.enable('cukereuse') into your init.lua", vim.log.levels.WARN)
    return
  end
  local clients = vim.lsp.get_clients({ name = 'cukereuse' })
  vim.lsp.enable('cukereuse', false)
  vim.wait(3000, function()
    return vim.iter(clients):all(function(client)
      return client.rpc.is_closing()
    end)
  end, 20)
  vim.lsp.enable('cukereuse')
end

---@type table<string, fun(bufnr: integer, rest: string)>
local SUBCOMMANDS = {
  similar = function(bufnr, rest)
    local similar = require('cukereuse.similar')
    if rest ~= '' then
      similar.of_text(bufnr, rest)
    else
      similar.of_step(bufnr)
    end
  end,
  rename = function(bufnr, rest)
    require('cukereuse.rename').run(bufnr, { target = rest ~= '' and rest or nil })
  end,
  extract = function(bufnr, rest)
    require('cukereuse.extract').run(bufnr, { wording = rest ~= '' and rest or nil })
  end,
  run = function(bufnr)
    require('cukereuse.run').run(bufnr)
  end,
  scan = function(bufnr)
    require('cukereuse.scan').run(bufnr)
  end,
  report = function(bufnr)
    require('cukereuse.report').show(bufnr)
  end,
  status = function(bufnr)
    require('cukereuse.status').show(bufnr)
  end,
  download = function(bufnr)
    require('cukereuse.model').download(bufnr)
  end,
  log = log,
  restart = restart,
}

---@return string[]
local function names()
  local all = vim.tbl_keys(SUBCOMMANDS)
  table.sort(all)
  return all
end

---@param call vim.api.keyset.create_user_command.command_args
function M.run(call)
  local name, rest = call.args:match('^(%S*)%s*(.-)%s*$')
  local run = SUBCOMMANDS[name]
  if run then
    run(vim.api.nvim_get_current_buf(), rest)
  else
    client_of.notify(('`:Cukereuse` needs one of: %s'):format(table.concat(names(), ', ')), vim.log.levels.ERROR)
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
