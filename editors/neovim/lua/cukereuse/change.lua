--- A change that the server plans: its wording in an input box, what it would do for confirmation, then one workspace
--- edit. Writes no file: `:wall` does.

local client_of = require('cukereuse.client')
local prompt = require('cukereuse.prompt')

local M = {}

---@class cukereuse.Change
---@field client vim.lsp.Client
---@field prompt string what the input box says
---@field verb string "Rename"
---@field past string "renamed"
---@field plan_for fun(wording?: string, on_plan: fun(plan: table)) a plan with `edit`, or with `refused`
---@field summary fun(plan: table): string how much it changes

--- What a person should know before it is done.
---@param plan table
---@return string[]
function M.notes(plan)
  local notes = {}
  for _, member in ipairs(plan.leftOut or {}) do
    table.insert(notes, ('left out: %s (%d×): %s'):format(member.text, member.occurrences, member.reason))
  end
  vim.list_extend(notes, plan.warnings or {})
  return notes
end

--- Keep a file without a newline at its end as it is, when it is written.
---@param edit lsp.WorkspaceEdit
local function keep_ends(edit)
  local uris = vim.tbl_keys(edit.changes or {})
  for _, change in ipairs(edit.documentChanges or {}) do
    table.insert(uris, change.textDocument.uri)
  end
  for _, uri in ipairs(uris) do
    local bufnr = vim.uri_to_bufnr(uri)
    vim.fn.bufload(bufnr)
    vim.bo[bufnr].fixendofline = false
    vim.bo[bufnr].buflisted = true
  end
end

--- The edit as a diff, file by file.
---@param edit lsp.WorkspaceEdit
---@param encoding string
---@return string[]
function M.diff(edit, encoding)
  local by_uri = vim.deepcopy(edit.changes or {})
  for _, change in ipairs(edit.documentChanges or {}) do
    by_uri[change.textDocument.uri] = change.edits
  end
  local lines = {}
  for uri, edits in vim.spairs(by_uri) do
    local bufnr = vim.uri_to_bufnr(uri)
    vim.fn.bufload(bufnr)
    local before = vim.api.nvim_buf_get_lines(bufnr, 0, -1, false)
    local scratch = vim.api.nvim_create_buf(false, true)
    vim.api.nvim_buf_set_lines(scratch, 0, -1, false, before)
    vim.lsp.util.apply_text_edits(edits, scratch, encoding)
    local after = vim.api.nvim_buf_get_lines(scratch, 0, -1, false)
    vim.api.nvim_buf_delete(scratch, { force = true })
    local name = vim.fn.fnamemodify(vim.uri_to_fname(uri), ':.')
    local said = vim.diff(table.concat(before, '\n') .. '\n', table.concat(after, '\n') .. '\n', { ctxlen = 1 })
    vim.list_extend(lines, { '--- ' .. name, '+++ ' .. name })
    vim.list_extend(lines, vim.split(vim.trim(said --[[@as string]]), '\n'))
  end
  return lines
end

--- Shows the diff; `q` goes back to the question.
---@param change cukereuse.Change
---@param plan table
---@param on_close fun()
local function preview(change, plan, on_close)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, M.diff(plan.edit, change.client.offset_encoding))
  vim.bo[bufnr].filetype, vim.bo[bufnr].modifiable, vim.bo[bufnr].bufhidden = 'diff', false, 'wipe'
  vim.cmd('botright sbuffer ' .. bufnr)
  vim.wo.winbar = 'Planned changes; q closes this'
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = bufnr, nowait = true })
  vim.api.nvim_create_autocmd('BufWipeout', { buffer = bufnr, once = true, callback = vim.schedule_wrap(on_close) })
end

--- What a wording would do, and whether to do it.
---@param change cukereuse.Change
---@param wording string
function M.confirm(change, wording)
  change.plan_for(wording, function(plan)
    if plan.refused then
      client_of.notify(plan.refused, vim.log.levels.WARN)
      M.ask(change, wording)
      return
    end
    for _, note in ipairs(M.notes(plan)) do
      client_of.notify(note, vim.log.levels.WARN)
    end
    local choices = {
      ('%s %s'):format(change.verb, change.summary(plan)),
      'Preview the changes first',
      'Another wording …',
      'Cancel',
    }
    local options = { prompt = plan.target or plan.wording, kind = 'cukereuse.confirm' }
    vim.ui.select(choices, options, function(_, index)
      if index == 1 then
        keep_ends(plan.edit)
        vim.lsp.util.apply_workspace_edit(plan.edit, change.client.offset_encoding)
        client_of.notify(('%s %s; `:wall` writes them'):format(change.past, change.summary(plan)))
      elseif index == 2 then
        preview(change, plan, function()
          M.confirm(change, wording)
        end)
      elseif index == 3 then
        M.ask(change, wording)
      end
    end)
  end)
end

--- Begin at the cursor, or at the position that a command brought along: with the wording that it brought too, or else
--- as the change proposes one.
---@param bufnr integer
---@param given? { textDocument?: table, position?: table }
---@param wording? string empty for none
---@param of fun(client: vim.lsp.Client, params: table): cukereuse.Change
---@param propose fun(change: cukereuse.Change, params: table)
function M.begin(bufnr, given, wording, of, propose)
  local client = client_of.need(bufnr)
  if not client then
    return
  end
  local params = client_of.position(client, bufnr, given)
  local change = of(client, params)
  if wording and wording ~= '' then
    M.confirm(change, wording)
  else
    propose(change, params)
  end
end

--- The wording in an input box, which says what it would do.
---@param change cukereuse.Change
---@param default string
function M.ask(change, default)
  prompt.ask({
    prompt = change.prompt,
    default = default,
    describe = function(text, on_line)
      change.plan_for(text, function(plan)
        on_line(plan.refused or change.summary(plan))
      end)
    end,
    on_answer = function(text)
      M.confirm(change, text)
    end,
  })
end

return M
