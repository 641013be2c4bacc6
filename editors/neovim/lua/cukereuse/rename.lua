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

---@param rename cukereuse.Rename
---@param plan table
local function apply(rename, plan)
  keep_ends(plan.edit)
  vim.lsp.util.apply_workspace_edit(plan.edit, rename.client.offset_encoding)
  client_of.notify(('renamed %s; `:wall` writes them'):format(M.summary(plan)))
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

local ask

---@param rename cukereuse.Rename
---@param target string
local function confirm(rename, target)
  plan_for(rename, target, function(plan)
    if plan.refused then
      client_of.notify(plan.refused, vim.log.levels.WARN)
      ask(rename, target)
      return
    end
    for _, note in ipairs(M.notes(plan)) do
      client_of.notify(note, vim.log.levels.WARN)
    end
    local choices = { ('Rename %s'):format(M.summary(plan)), 'Another wording …', 'Cancel' }
    local options = { prompt = plan.target, kind = 'cukereuse.confirm' }
    vim.ui.select(choices, options, function(_, index)
      if index == 1 then
        apply(rename, plan)
      elseif index == 2 then
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
