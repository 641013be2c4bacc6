--- An input box that says, while the user types, what the text would do. With Neovim's own `vim.ui.input` that line
--- stands above the command line; a replacement of it is used as it is, without the line.

local M = {}

local DELAY_MS = 150

--- One line above the command line, until it is closed.
local Line = {}
Line.__index = Line

---@return table
function Line.new()
  return setmetatable({ bufnr = vim.api.nvim_create_buf(false, true) }, Line)
end

---@param text string
function Line:show(text)
  if not vim.api.nvim_buf_is_valid(self.bufnr) then
    return
  end
  text = text:gsub('%s*\n%s*', ' ')
  vim.api.nvim_buf_set_lines(self.bufnr, 0, -1, false, { text })
  local width = math.max(1, math.min(vim.o.columns, vim.fn.strdisplaywidth(text)))
  local place = {
    relative = 'editor',
    row = math.max(0, vim.o.lines - vim.o.cmdheight - 2),
    col = 0,
    width = width,
    height = 1,
    style = 'minimal',
    focusable = false,
    zindex = 250,
  }
  if self.window and vim.api.nvim_win_is_valid(self.window) then
    vim.api.nvim_win_set_config(self.window, place)
  else
    place.noautocmd = true
    self.window = vim.api.nvim_open_win(self.bufnr, false, place)
  end
  vim.cmd.redraw()
end

function Line:close()
  if vim.api.nvim_buf_is_valid(self.bufnr) then
    vim.api.nvim_buf_delete(self.bufnr, { force = true })
  end
end

---@class cukereuse.Prompt
---@field prompt string
---@field default string
---@field describe fun(text: string, on_line: fun(line: string)) Says what a text would do; may answer later.
---@field on_answer fun(text: string) Not called where the user gives up.

---@param options cukereuse.Prompt
function M.ask(options)
  local line = Line.new()
  local latest ---@type string?

  local function describe(text)
    latest = text
    vim.defer_fn(function()
      if latest == text and text ~= '' then
        options.describe(text, function(said)
          if latest == text then
            line:show(said)
          end
        end)
      end
    end, DELAY_MS)
  end

  local typed = vim.api.nvim_create_autocmd('CmdlineChanged', {
    pattern = '@',
    callback = function()
      describe(vim.fn.getcmdline())
    end,
  })
  describe(options.default)
  vim.ui.input({ prompt = options.prompt, default = options.default }, function(text)
    latest = nil
    vim.api.nvim_del_autocmd(typed)
    line:close()
    if text and vim.trim(text) ~= '' then
      options.on_answer(vim.trim(text))
    end
  end)
end

return M
