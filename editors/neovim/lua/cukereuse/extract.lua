--- `:Cukereuse extract`: one step in place of a block of steps that recurs. The wording in an input box, what would
--- change for confirmation, then one workspace edit. Writes no file: `:wall` does.

local client_of = require('cukereuse.client')
local prompt = require('cukereuse.prompt')
local rename = require('cukereuse.rename')

local M = {}

---@param plan table
---@return string
function M.summary(plan)
  return ('%s in %s'):format(client_of.counted(plan.places, 'place'), client_of.counted(plan.files, 'file'))
end

---@param asked cukereuse.Rename
---@param wording? string
---@param on_plan fun(plan: table)
local function plan_for(asked, wording, on_plan)
  local params = vim.tbl_extend('error', { wording = wording }, asked.params)
  client_of.request(asked.client, 'cukereuse/extractPlan', params, function(plan)
    on_plan(plan or { refused = 'no block of steps that recurs stands here' })
  end, asked.bufnr)
end

local ask, confirm

---@param asked cukereuse.Rename
---@param wording string
confirm = function(asked, wording)
  plan_for(asked, wording, function(plan)
    if plan.refused then
      client_of.notify(plan.refused, vim.log.levels.WARN)
      ask(asked, wording)
      return
    end
    for _, note in ipairs(plan.warnings or {}) do
      client_of.notify(note, vim.log.levels.WARN)
    end
    local yes = ('Extract %s'):format(M.summary(plan))
    local choices = { yes, 'Look at the changes first', 'Another wording …', 'Cancel' }
    vim.ui.select(choices, { prompt = plan.wording, kind = 'cukereuse.confirm' }, function(_, index)
      if index == 1 then
        rename.keep_ends(plan.edit)
        vim.lsp.util.apply_workspace_edit(plan.edit, asked.client.offset_encoding)
        client_of.notify(('extracted %s; `:wall` writes them'):format(M.summary(plan)))
      elseif index == 2 then
        rename.preview(asked, plan, function()
          confirm(asked, wording)
        end)
      elseif index == 3 then
        ask(asked, wording)
      end
    end)
  end)
end

---@param asked cukereuse.Rename
---@param default string
ask = function(asked, default)
  prompt.ask({
    prompt = 'The new step: ',
    default = default,
    describe = function(text, on_line)
      plan_for(asked, text, function(plan)
        on_line(plan.refused or M.summary(plan))
      end)
    end,
    on_answer = function(text)
      confirm(asked, text)
    end,
  })
end

--- Extract the block around the cursor, or at the position that a command brought along.
---@param bufnr integer
---@param given? { textDocument?: table, position?: table, block?: string, wording?: string }
function M.run(bufnr, given)
  local client = client_of.need(bufnr)
  if not client then
    return
  end
  local params = client_of.position(client, bufnr, given)
  params.block = given and given.block
  local asked = { client = client, bufnr = bufnr, params = params }
  if given and given.wording then
    confirm(asked, given.wording)
    return
  end
  plan_for(asked, nil, function(plan)
    if plan.refused then
      client_of.notify(plan.refused, vim.log.levels.WARN)
    else
      ask(asked, plan.wording)
    end
  end)
end

return M
