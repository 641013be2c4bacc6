--- Neovim's own `ftplugin/cucumber.vim` gives feature files keys and a completion that look for Ruby step definitions.
--- They hide Neovim's keys for diagnostics and the server's completion, and find nothing in other languages.

local M = {}

local KEYS = { '[<C-D>', ']<C-D>', '<C-W>d', '<C-W><C-D>', '[d', ']d' }
local OMNIFUNC = 'CucumberComplete'
--- What its keys call: a script-local function `jump`.
local JUMP = 'jump%('

--- Keys of a buffer that belong to that file and not to the user.
---@param bufnr integer
---@return string[]
function M.hidden(bufnr)
  local found = {}
  for _, map in ipairs(vim.api.nvim_buf_get_keymap(bufnr, 'n')) do
    local own = vim.iter(KEYS):find(function(key)
      return vim.keycode(key) == vim.keycode(map.lhs)
    end)
    if own and (map.rhs or ''):find(JUMP) then
      table.insert(found, own)
    end
  end
  return found
end

--- Give them back to Neovim.
---@param bufnr integer
---@param client vim.lsp.Client
function M.restore(bufnr, client)
  for _, key in ipairs(M.hidden(bufnr)) do
    vim.keymap.del('n', key, { buffer = bufnr })
  end
  local completes = client:supports_method('textDocument/completion')
  if completes and vim.bo[bufnr].omnifunc == OMNIFUNC then
    vim.bo[bufnr].omnifunc = 'v:lua.vim.lsp.omnifunc'
  end
end

--- What hides a documented key or the completion of a buffer that is served, for `:checkhealth`.
---@param bufnr integer
---@return string[]
function M.clashes(bufnr)
  local found = {}
  for _, map in ipairs(vim.api.nvim_buf_get_keymap(bufnr, 'n')) do
    for _, key in ipairs({ '<C-W>d', ']d', '[d' }) do
      if vim.keycode(key) == vim.keycode(map.lhs) then
        table.insert(found, ('%s is mapped to %s'):format(key, map.rhs or map.desc or 'a function'))
      end
    end
  end
  local omnifunc = vim.bo[bufnr].omnifunc
  if not omnifunc:find('vim.lsp.omnifunc', 1, true) then
    table.insert(found, ("'omnifunc' is %q, not the server's"):format(omnifunc))
  end
  return found
end

return M
