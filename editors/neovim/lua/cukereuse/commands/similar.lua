--- `:Cukereuse similar`: the wordings most like a step, in a list to choose from.

local client_of = require('cukereuse.client')

local M = {}

--- One line of the list.
---@param item table
---@return string
function M.line(item)
  local known_to = item.knownTo or {}
  if #known_to > 0 then
    return ('      %s  (in %s)'):format(item.text, table.concat(known_to, ', '))
  end
  local line = ('%4d×  %s'):format(item.occurrences, item.text)
  local barred = item.barredBy or {}
  return #barred > 0 and ('%s  (other meaning: %s)'):format(line, table.concat(barred, ', ')) or line
end

---@param client vim.lsp.Client
---@param bufnr integer
---@param params table
local function ask(client, bufnr, params)
  client_of.request(client, 'cukereuse/similar', params, function(result)
    local items = result and result.items or {}
    if #items == 0 then
      client_of.nothing(client, 'there is no similar step')
      return
    end
    local options = { prompt = 'Similar steps', kind = 'cukereuse.similar', format_item = M.line }
    vim.ui.select(items, options, function(item)
      if item and #(item.knownTo or {}) > 0 then
        vim.fn.setreg('"', item.text)
        client_of.tell(('copied; it is also used in %s'):format(table.concat(item.knownTo, ', ')))
      elseif item then
        client_of.show(item.text, item.locations, client)
      end
    end)
  end, bufnr)
end

--- Steps like the one under the cursor, or at the position that a command brought along.
---@param bufnr integer
---@param given? table
function M.of_step(bufnr, given)
  local client = client_of.need(bufnr)
  if client then
    ask(client, bufnr, client_of.position(client, bufnr, given))
  end
end

--- Steps like a text.
---@param bufnr integer
---@param text string
function M.of_text(bufnr, text)
  local client = client_of.need(bufnr)
  if client then
    local here = client_of.of(bufnr) ~= nil and vim.lsp.util.make_text_document_params(bufnr) or nil
    ask(client, bufnr, { text = text, textDocument = here })
  end
end

--- What `:Cukereuse similar` does, with a text or without.
---@param bufnr integer
---@param text string
function M.command(bufnr, text)
  if text ~= '' then
    M.of_text(bufnr, text)
  else
    M.of_step(bufnr)
  end
end

return M
