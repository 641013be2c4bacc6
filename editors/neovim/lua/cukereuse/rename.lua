--- `:Cukereuse rename`: one wording for all steps of a cluster. Candidates in a list, the wording in an input box, what
--- would change for confirmation, then one workspace edit. Writes no file: `:wall` does.

local client_of = require('cukereuse.client')
local prompt = require('cukereuse.prompt')

local M = {}

---@class cukereuse.Rename
---@field client vim.lsp.Client
---@field bufnr integer
---@field params table textDocument and position of a step

local OTHER = { text = 'Another wording …' }

---@param plan table
---@return string
function M.summary(plan)
  return ('%s in %s'):format(client_of.counted(plan.steps, 'step'), client_of.counted(plan.files, 'file'))
end

--- What a person should know before it is done.
---@param plan table
---@return string[]
function M.notes(plan)
  local notes = {}
  for _, one in ipairs(plan.leftOut or {}) do
    table.insert(notes, ('left out: %s (%d×): %s'):format(one.text, one.occurrences, one.reason))
  end
  vim.list_extend(notes, plan.warnings or {})
  return notes
end

--- Keep a file without a newline at its end as it is, when it is written.
---@param edit lsp.WorkspaceEdit
function M.keep_ends(edit)
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

---@param rename cukereuse.Rename
---@param plan table
local function apply(rename, plan)
  M.keep_ends(plan.edit)
  vim.lsp.util.apply_workspace_edit(plan.edit, rename.client.offset_encoding)
  client_of.notify(('renamed %s; `:wall` writes them'):format(M.summary(plan)))
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
---@param rename cukereuse.Rename
---@param plan table
---@param on_close fun()
function M.preview(rename, plan, on_close)
  local bufnr = vim.api.nvim_create_buf(false, true)
  vim.api.nvim_buf_set_lines(bufnr, 0, -1, false, M.diff(plan.edit, rename.client.offset_encoding))
  vim.bo[bufnr].filetype, vim.bo[bufnr].modifiable, vim.bo[bufnr].bufhidden = 'diff', false, 'wipe'
  vim.cmd('botright sbuffer ' .. bufnr)
  vim.wo.winbar = 'What would change; q goes back'
  vim.keymap.set('n', 'q', '<Cmd>close<CR>', { buffer = bufnr, nowait = true })
  vim.api.nvim_create_autocmd('BufWipeout', { buffer = bufnr, once = true, callback = vim.schedule_wrap(on_close) })
end

---@param rename cukereuse.Rename
---@param target string
---@param on_plan fun(plan: table)
local function plan_for(rename, target, on_plan)
  local params = vim.tbl_extend('error', { target = target, cluster = true }, rename.params)
  client_of.request(rename.client, 'cukereuse/renamePlan', params, function(plan)
    on_plan(plan or { refused = 'there is no step here any more' })
  end, rename.bufnr)
end

local ask, confirm

---@param rename cukereuse.Rename
---@param target string
confirm = function(rename, target)
  plan_for(rename, target, function(plan)
    if plan.refused then
      client_of.notify(plan.refused, vim.log.levels.WARN)
      ask(rename, target)
      return
    end
    for _, note in ipairs(M.notes(plan)) do
      client_of.notify(note, vim.log.levels.WARN)
    end
    local yes = ('Rename %s'):format(M.summary(plan))
    local choices = { yes, 'Look at the changes first', 'Another wording …', 'Cancel' }
    local options = { prompt = plan.target, kind = 'cukereuse.confirm' }
    vim.ui.select(choices, options, function(_, index)
      if index == 1 then
        apply(rename, plan)
      elseif index == 2 then
        M.preview(rename, plan, function()
          confirm(rename, target)
        end)
      elseif index == 3 then
        ask(rename, target)
      end
    end)
  end)
end

---@param rename cukereuse.Rename
---@param default string
ask = function(rename, default)
  prompt.ask({
    prompt = 'New wording: ',
    default = default,
    describe = function(text, on_line)
      plan_for(rename, text, function(plan)
        on_line(plan.refused or M.summary(plan))
      end)
    end,
    on_answer = function(text)
      confirm(rename, text)
    end,
  })
end

---@param rename cukereuse.Rename
---@param candidates table[]
local function choose(rename, candidates)
  local options = {
    prompt = 'One wording for all of them',
    kind = 'cukereuse.rename',
    format_item = function(one)
      return one.occurrences and ('%4d×  %s'):format(one.occurrences, one.text) or one.text
    end,
  }
  vim.ui.select(vim.list_extend({ unpack(candidates) }, { OTHER }), options, function(one)
    if one == OTHER then
      ask(rename, candidates[1].phrasing)
    elseif one then
      confirm(rename, one.phrasing)
    end
  end)
end

--- Rename the cluster of the step under the cursor, or at the position that a command brought along.
---@param bufnr integer
---@param given? { textDocument?: table, position?: table, target?: string }
function M.run(bufnr, given)
  local client = client_of.need(bufnr)
  if not client then
    return
  end
  local rename = { client = client, bufnr = bufnr, params = client_of.position(client, bufnr, given) }
  if given and given.target then
    confirm(rename, given.target)
    return
  end
  client_of.request(client, 'cukereuse/renameCandidates', rename.params, function(found)
    if not found or #found.candidates == 0 then
      client_of.nothing(client, 'there is no step under the cursor')
      return
    end
    choose(rename, found.candidates)
  end, bufnr)
end

return M
