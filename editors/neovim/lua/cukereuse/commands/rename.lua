--- `:Cukereuse rename`: one wording for all steps of a cluster, chosen from a list, then as any change (`change.lua`).

local change_of = require('cukereuse.change')
local client_of = require('cukereuse.client')

local M = {}

local OTHER = { text = 'Another wording …' }

---@param client vim.lsp.Client
---@param bufnr integer
---@param params table textDocument and position of a step
---@return cukereuse.Change
local function renaming(client, bufnr, params)
  return {
    client = client,
    prompt = 'New wording: ',
    verb = 'Rename',
    past = 'renamed',
    summary = function(plan)
      return ('%s in %s'):format(client_of.counted(plan.steps, 'step'), client_of.counted(plan.files, 'file'))
    end,
    plan_for = function(target, on_plan)
      local asked = vim.tbl_extend('error', { target = target, cluster = true }, params)
      client_of.request(client, 'cukereuse/renamePlan', asked, function(plan)
        on_plan(plan or { refused = 'there is no longer a step here' })
      end, bufnr)
    end,
  }
end

---@param change cukereuse.Change
---@param candidates table[]
local function choose(change, candidates)
  local options = {
    prompt = 'One wording for all of them',
    kind = 'cukereuse.rename',
    format_item = function(item)
      return item.occurrences and ('%4d×  %s'):format(item.occurrences, item.text) or item.text
    end,
  }
  vim.ui.select(vim.list_extend({ unpack(candidates) }, { OTHER }), options, function(item)
    if item == OTHER then
      change_of.ask(change, candidates[1].phrasing)
    elseif item then
      change_of.confirm(change, item.phrasing)
    end
  end)
end

--- Rename the cluster of the step under the cursor, or at the position that a command brought along.
---@param bufnr integer
---@param given? { textDocument?: table, position?: table }
---@param target? string
function M.run(bufnr, given, target)
  change_of.begin(bufnr, given, target, function(client, params)
    return renaming(client, bufnr, params)
  end, function(change, params)
    client_of.request(change.client, 'cukereuse/renameCandidates', params, function(found)
      if not found or #found.candidates == 0 then
        client_of.nothing(change.client, 'there is no step under the cursor')
        return
      end
      choose(change, found.candidates)
    end, bufnr)
  end)
end

---@param bufnr integer
---@param target string
function M.command(bufnr, target)
  M.run(bufnr, nil, target)
end

return M
