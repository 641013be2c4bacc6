--- `:Cukereuse scan`: the findings of all files in the quickfix window, once everything is read and compared.

local client_of = require('cukereuse.client')

local M = {}

local LOOK_MS = 250
local TYPES = { 'E', 'W', 'I', 'N' }

--- What is waited for.
---@param status table
---@return string
local function stage(status)
  if #(status.suites or {}) == 0 then
    return 'looking for feature files'
  elseif not status.complete then
    return 'comparing steps'
  end
  local states = { downloading = 'downloading the language model', loading = 'loading the language model' }
  return states[status.modelState] or 'comparing steps by their meaning'
end

--- How many there are, as the editor shows them.
---@param found table
---@return string
function M.summary(found)
  local problems = found.errors + found.warnings + found.information
  if problems + found.hints == 0 then
    return 'no findings: no two steps say the same thing in different words'
  end
  local hints = found.hints > 0 and (', ' .. client_of.counted(found.hints, 'hint')) or ''
  return ('%s%s in %s'):format(client_of.counted(problems, 'finding'), hints, client_of.counted(found.files, 'file'))
end

---@param client vim.lsp.Client
---@param found table
local function list(client, found)
  local locations = vim.tbl_map(function(one)
    return one.location
  end, found.items)
  local items = vim.lsp.util.locations_to_items(locations, client.offset_encoding)
  local said = {} ---@type table<string, table[]>
  for _, one in ipairs(found.items) do
    local start = one.location.range.start
    local key = ('%s:%d'):format(vim.uri_to_fname(one.location.uri), start.line + 1)
    said[key] = said[key] or {}
    table.insert(said[key], one)
  end
  for _, item in ipairs(items) do
    local one = table.remove(said[('%s:%d'):format(item.filename, item.lnum)] or {}, 1)
    if one then
      item.text, item.type = ('%s [%s]'):format(one.message, one.code), TYPES[one.severity]
    end
  end
  vim.fn.setqflist({}, ' ', { title = 'cukereuse: ' .. M.summary(found), items = items })
  if #items > 0 then
    vim.cmd('botright copen')
  end
  client_of.notify(M.summary(found))
end

---@param bufnr integer
function M.command(bufnr)
  local client = client_of.need(bufnr)
  if not client then
    return
  end
  local told ---@type string?
  local function look()
    client_of.request(client, 'cukereuse/status', vim.empty_dict(), function(status)
      if status.failed then
        client_of.nothing(client, '')
      elseif status.settled then
        client_of.request(client, 'cukereuse/findings', vim.empty_dict(), function(found)
          list(client, found)
        end)
      else
        if told ~= stage(status) then
          told = stage(status)
          client_of.tell(told, vim.lsp.protocol.MessageType.Info)
        end
        vim.defer_fn(look, LOOK_MS)
      end
    end)
  end
  look()
end

return M
