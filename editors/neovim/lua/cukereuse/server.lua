--- Finds and starts `cukereuse`: what the user named, else PATH, else the workspace's Python environment, which is
--- started only after the user has trusted it (|vim.secure.read()|), else that of the checkout which this plugin is in.

local options = require('cukereuse.options')

local M = {}

---@class cukereuse.Server
---@field argv string[] The command without its subcommand.
---@field origin string Where it was found, for a person.

local WINDOWS = vim.fn.has('win32') == 1
local ENVIRONMENTS = { '.venv', 'venv', 'env' }
local HOW = 'Install it with pipx, pip or uv (`pipx install cukereuse`, or its wheel), '
  .. "or name it: vim.g.cukereuse = { server = '/path/to/cukereuse' }"
local UNTRUSTED = '%s is not trusted. Trust it with `:trust ++allow` while it is open, or name a server: '
  .. "vim.g.cukereuse = { server = '/path/to/cukereuse' }"

---@param folder string Python environment
---@return string?
local function in_environment(folder)
  local command = vim.fs.joinpath(folder, WINDOWS and 'Scripts/cukereuse.exe' or 'bin/cukereuse')
  return vim.fn.executable(command) == 1 and command or nil
end

---@param given string
---@return cukereuse.Server? server
---@return string? problem
local function from_setting(given)
  local path = vim.fs.normalize(given)
  local command = vim.fn.isdirectory(path) == 1 and in_environment(path) or vim.fn.exepath(path)
  if not command or command == '' then
    return nil, ('vim.g.cukereuse.server is %q, where there is no `cukereuse` to run. %s'):format(given, HOW)
  end
  return { argv = { command }, origin = 'vim.g.cukereuse.server' }
end

--- Of a checkout of the project: this plugin is its `editors/neovim`, perhaps through a link.
---@return cukereuse.Server?
local function from_checkout()
  local this = vim.uv.fs_realpath(vim.fs.normalize(debug.getinfo(1, 'S').source:sub(2)))
  local plugin = this and vim.fs.dirname(vim.fs.dirname(vim.fs.dirname(this)))
  for _, name in ipairs(plugin and ENVIRONMENTS or {}) do
    local command = in_environment(vim.fs.normalize(vim.fs.joinpath(plugin, '../..', name)))
    if command then
      return { argv = { command }, origin = "the plugin's own checkout" }
    end
  end
end

--- What `vim.lsp.config('cukereuse', { cmd = … })` names, without `serve` and what follows.
---@return cukereuse.Server?
local function from_config()
  local config = vim.lsp.config.cukereuse
  local cmd = config and config.cmd
  if type(cmd) ~= 'table' then
    return nil
  end
  local argv = {}
  for _, word in ipairs(cmd) do
    if word == 'serve' then
      break
    end
    table.insert(argv, word)
  end
  return { argv = argv, origin = 'cmd of vim.lsp.config' }
end

---@param root string workspace folder
---@return cukereuse.Server? server
---@return string? problem What is wrong and what to do about it.
function M.find(root)
  local named = from_config()
  if named then
    return named
  end
  local given = options.read().server
  if given ~= '' then
    return from_setting(given)
  end
  local on_path = vim.fn.exepath('cukereuse')
  if on_path ~= '' then
    return { argv = { on_path }, origin = 'PATH' }
  end
  local untrusted ---@type string?
  for _, name in ipairs(ENVIRONMENTS) do
    local command = in_environment(vim.fs.joinpath(root, name))
    if command then
      if vim.secure.read(command) then
        return { argv = { command }, origin = "the workspace's Python environment" }
      end
      untrusted = command
      break
    end
  end
  local ours = from_checkout()
  if ours then
    return ours
  elseif untrusted then
    return nil, UNTRUSTED:format(untrusted)
  end
  return nil, ('there is no `cukereuse` on PATH, nor in a Python environment of %s. %s'):format(root, HOW)
end

--- The server; where there is none, the user is told so, once.
---@param root string
---@return cukereuse.Server?
function M.find_or_tell(root)
  local server, problem = M.find(root)
  if not server then
    vim.notify_once('cukereuse: ' .. problem, vim.log.levels.WARN)
  end
  return server
end

---@param dispatchers vim.lsp.rpc.Dispatchers
---@param config? vim.lsp.ClientConfig
---@return vim.lsp.rpc.PublicClient
function M.start(dispatchers, config)
  local root = config and config.root_dir or vim.uv.cwd()
  local server, problem = M.find(root)
  if not server then
    error(problem, 0)
  end
  local argv = vim.list_extend(vim.deepcopy(server.argv), { 'serve' })
  return vim.lsp.rpc.start(argv, dispatchers, config and {
    cwd = config.cmd_cwd or root,
    env = config.cmd_env,
    detached = config.detached,
  })
end

--- Whether a server's version goes with this plugin's: within one major version, before 1.0 within one minor version.
---@param server string
---@return boolean
function M.fits(server)
  local theirs = vim.version.parse(server, { strict = false })
  local ours = assert(vim.version.parse(require('cukereuse.version')))
  if not theirs then
    return false
  end
  return theirs.major == ours.major and (ours.major > 0 or theirs.minor == ours.minor)
end

--- What to say of a server of another version.
---@param server string
---@return string
function M.misfit(server)
  local ours = require('cukereuse.version')
  local older = vim.version.lt(vim.version.parse(server, { strict = false }) or { 0, 0, 0 }, ours)
  return ('the server is version %s, the plugin %s; update %s'):format(
    server,
    ours,
    older and 'the server (`pip install --upgrade cukereuse`)' or 'the plugin'
  )
end

return M
