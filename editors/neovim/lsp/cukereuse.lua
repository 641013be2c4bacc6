--- For `vim.lsp.enable('cukereuse')`. What a user sets with `vim.lsp.config('cukereuse', …)` wins over all of this.

local commands = require('cukereuse.client_commands')

---@type vim.lsp.Config
return {
  cmd = function(dispatchers, config)
    return require('cukereuse.server').start(dispatchers, config)
  end,
  filetypes = require('cukereuse.workspace').filetypes(),
  root_dir = function(bufnr, on_dir)
    local root = require('cukereuse.workspace').root(bufnr)
    if root and require('cukereuse.server').find_or_tell(root) then
      on_dir(root)
    end
  end,
  get_language_id = function(_, filetype)
    return require('cukereuse.workspace').language_id(filetype)
  end,
  init_options = {
    commands = vim.tbl_keys(commands),
    downloadHint = '`:Cukereuse download`',
  },
  before_init = function(params, config)
    -- the server asks for them too, but would read the workspace twice
    params.initializationOptions.settings = vim.tbl_get(config, 'settings', 'cukereuse')
  end,
  commands = commands,
  handlers = {
    -- what nobody asked for must not wait for a key
    ['window/showMessage'] = function(_, params)
      require('cukereuse.client').tell(params.message, params.type)
    end,
    ['window/showMessageRequest'] = function(...)
      -- without a screen nobody can answer, and Neovim would wait for ever
      if #vim.api.nvim_list_uis() == 0 then
        return vim.NIL
      end
      return vim.lsp.handlers['window/showMessageRequest'](...)
    end,
  },
}
