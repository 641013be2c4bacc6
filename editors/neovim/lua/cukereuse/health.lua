--- `:checkhealth cukereuse`: the server, its version and Python, the model, and what runs.

local client_of = require('cukereuse.client')
local keys = require('cukereuse.keys')
local options = require('cukereuse.options')
local server_of = require('cukereuse.server')
local status = require('cukereuse.commands.status')
local watch = require('cukereuse.watch')
local workspace = require('cukereuse.workspace')

local M = {}

local health = vim.health
local ANSWER_MS = 30000
local ENABLE = "put vim.lsp.enable('cukereuse') into your init.lua"
local INSTALL = 'install it: `pipx install cukereuse`, or pip or uv, with Python 3.11 or newer'

---@param argv string[]
---@return boolean ran_well
---@return string said
local function run(argv)
  local started, process = pcall(vim.system, argv, { text = true, timeout = ANSWER_MS })
  if not started then
    return false, tostring(process)
  end
  local ran = process:wait()
  return ran.code == 0, vim.trim((ran.stdout or '') .. '\n' .. (ran.stderr or ''))
end

--- The interpreter that a Python script names in its first lines.
---@param script string
---@return string?
local function interpreter_of(script)
  local file = io.open(script, 'rb')
  local head = file and file:read(512) or ''
  if file then
    file:close()
  end
  return head:match('^#!.-(/[^\r\n"\']*python[%d.]*)')
end

---@param server cukereuse.Server
---@return boolean works
local function check_version(server)
  local command = table.concat(server.argv, ' ')
  local well, said = run(vim.list_extend(vim.deepcopy(server.argv), { '--version' }))
  if not well then
    local reason = vim.split(said, '\n')
    local advice = 'its Python may have been removed; ' .. INSTALL
    health.error(('%s does not run: %s'):format(command, reason[#reason]), { advice })
    return false
  end
  local version = said:match('%d+%.%d+[%w.]*') or 'unknown'
  health.ok(('%s, version %s (found by: %s)'):format(command, version, server.origin))
  if not server_of.fits(version) then
    health.warn(server_of.misfit(version))
  end
  local python = interpreter_of(server.argv[1])
  if python then
    local _, its = run({ python, '--version' })
    health.info(('%s (%s)'):format(its, python))
  end
  return true
end

---@param server cukereuse.Server
local function check_model(server)
  local well, said = run(vim.list_extend(vim.deepcopy(server.argv), { 'model' }))
  local lines = vim.split(said, '\n')
  if well then
    health.ok('model: ' .. lines[#lines])
  else
    health.warn(
      'model: only the wording of steps is compared. ' .. table.concat(lines, ' '),
      { ('%s model download'):format(table.concat(server.argv, ' ')) }
    )
  end
end

local function check_python()
  for _, name in ipairs({ 'python3', 'python' }) do
    if vim.fn.executable(name) == 1 then
      local _, said = run({ name, '--version' })
      local version = vim.version.parse(said, { strict = false })
      if version and vim.version.ge(version, '3.11') then
        health.info(said .. ' can install it')
        return
      end
    end
  end
  health.warn('the server needs Python 3.11 or newer, but there is none on PATH')
end

---@param client vim.lsp.Client
local function check_client(client)
  local buffers = client_of.counted(vim.tbl_count(client.attached_buffers), 'buffer')
  health.ok(('serves %s, %s, positions in %s'):format(client.root_dir, buffers, client.offset_encoding))
  local watched = watch.needed(client) and 'on save, on focus, after shell commands' or 'Neovim watches them'
  health.info('files changed elsewhere: ' .. watched)
  for bufnr in pairs(client.attached_buffers) do
    if vim.bo[bufnr].filetype == 'cucumber' then
      for _, clash in ipairs(keys.clashes(bufnr)) do
        local name = vim.fs.basename(vim.api.nvim_buf_get_name(bufnr))
        local cause = 'another plugin or one of your files set it after cukereuse was attached'
        health.warn(('%s: %s'):format(name, clash), { cause })
      end
    end
  end
  local answer = client:request_sync('cukereuse/status', vim.empty_dict(), ANSWER_MS)
  if answer and answer.result then
    for _, line in ipairs(status.lines(answer.result)) do
      health.info(line)
    end
  else
    health.error('the server does not answer', { '`:Cukereuse restart`', '`:Cukereuse log` shows its output' })
  end
end

function M.check()
  health.start('cukereuse: set up')
  local neovim = tostring(vim.version())
  if vim.fn.has('nvim-0.11') == 1 then
    health.ok('Neovim ' .. neovim)
  else
    health.error(('Neovim %s is too old; 0.11 or newer is needed'):format(neovim))
    return
  end
  for _, problem in ipairs(select(2, options.read())) do
    health.warn(problem)
  end
  if vim.lsp.is_enabled('cukereuse') then
    health.ok('enabled')
  else
    health.error('not enabled', { ENABLE })
  end

  health.start('cukereuse: server')
  local clients = vim.lsp.get_clients({ name = 'cukereuse' })
  -- checkhealth has a buffer of its own; the one before it is what the user looked at
  local before = vim.fn.bufnr('#')
  local root = clients[1] and clients[1].root_dir or before ~= -1 and workspace.root(before) or assert(vim.uv.cwd())
  local server, problem = server_of.find(root)
  if server then
    if check_version(server) then
      check_model(server)
    end
  else
    health.error(assert(problem))
    check_python()
  end

  health.start('cukereuse: running')
  if #clients == 0 then
    health.info('no server is running; it starts with the first feature file')
  end
  for _, client in ipairs(clients) do
    check_client(client)
  end
end

return M
