--- Talks to the server that serves a buffer.

local M = {}

---@param message string
---@param level? integer
function M.notify(message, level)
  vim.notify('cukereuse: ' .. message, level or vim.log.levels.INFO)
end

--- A message that nobody asked for: as much as fits without a prompt for a key; `:Cukereuse log` has the whole.
---@param message string
---@param kind integer `lsp.MessageType`
function M.tell(message, kind)
  local told = 'cukereuse: ' .. message:gsub('^cukereuse: ', ''):gsub('%s*\n%s*', ' ')
  vim.lsp.log.info('cukereuse', told)
  local levels = { vim.log.levels.ERROR, vim.log.levels.WARN }
  local space = math.max(vim.v.echospace, 20)
  if vim.fn.strdisplaywidth(told) > space then
    told = vim.fn.strcharpart(told, 0, space - 1) .. '…'
  end
  vim.notify(told, levels[kind] or vim.log.levels.INFO)
end

--- The client of a buffer.
---@param bufnr? integer
---@return vim.lsp.Client?
function M.of(bufnr)
  return vim.lsp.get_clients({ name = 'cukereuse', bufnr = bufnr or vim.api.nvim_get_current_buf() })[1]
end

--- The client of a buffer, or the only one there is; where there is none, the user is told what to do.
---@param bufnr? integer
---@return vim.lsp.Client?
function M.need(bufnr)
  local client = M.of(bufnr)
  if client then
    return client
  end
  local all = vim.lsp.get_clients({ name = 'cukereuse' })
  if #all == 1 then
    return all[1]
  end
  local why = #all > 1 and 'several servers are running; open a feature file of the workspace that you mean'
    or 'no server is running here; `:Cukereuse restart` starts it in a feature file; or see `:checkhealth cukereuse`'
  M.notify(why, vim.log.levels.WARN)
  return nil
end

--- Parameters that name the cursor's position, or those that a command of the server brought along.
---@param client vim.lsp.Client
---@param bufnr integer
---@param given? table
---@return table
function M.position(client, bufnr, given)
  if given and given.textDocument and given.position then
    return { textDocument = given.textDocument, position = given.position }
  end
  local window = vim.fn.bufwinid(bufnr)
  return vim.lsp.util.make_position_params(window ~= -1 and window or 0, client.offset_encoding)
end

--- Ask the server; errors are told to the user.
---@param client vim.lsp.Client
---@param method string
---@param params table
---@param on_result fun(result: any) Gets nil for null.
---@param bufnr? integer
function M.request(client, method, params, on_result, bufnr)
  local sent = client:request(method, params, function(err, result)
    if err then
      local old = err.code == vim.lsp.protocol.ErrorCodes.MethodNotFound
      M.notify(old and 'the server does not support this; update it' or err.message, vim.log.levels.ERROR)
      return
    end
    if result == vim.NIL then
      result = nil
    end
    on_result(result)
  end, bufnr)
  if not sent then
    M.notify('the server has ended; `:Cukereuse restart` starts it again', vim.log.levels.WARN)
  end
end

--- Say that nothing was found, or that the server has not read everything yet.
---@param client vim.lsp.Client
---@param message string
function M.nothing(client, message)
  M.request(client, 'cukereuse/status', vim.empty_dict(), function(status)
    M.notify(status and status.complete and message or 'the server is still reading; try again in a moment')
  end)
end

--- Show places: one is gone to, several are listed in the quickfix window.
---@param title string
---@param locations lsp.Location[]
---@param client vim.lsp.Client
function M.show(title, locations, client)
  if #locations == 0 then
    M.notify('there is no location to show')
    return
  end
  if #locations == 1 then
    vim.lsp.util.show_document(locations[1], client.offset_encoding, { focus = true })
    return
  end
  local items = vim.lsp.util.locations_to_items(locations, client.offset_encoding)
  vim.fn.setqflist({}, ' ', { title = title, items = items })
  vim.cmd('botright copen')
end

---@param number integer
---@param noun string
---@return string
function M.counted(number, noun)
  return ('%d %s%s'):format(number, noun, number == 1 and '' or 's')
end

return M
