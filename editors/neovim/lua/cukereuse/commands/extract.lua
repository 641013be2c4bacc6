--- `:Cukereuse extract`: one step in place of a block of steps that recurs. The proposed wording first, then as any
--- change (`change.lua`).

local change_of = require('cukereuse.change')
local client_of = require('cukereuse.client')

local M = {}

---@param client vim.lsp.Client
---@param bufnr integer
---@param params table textDocument, position and perhaps the id of a block
---@return cukereuse.Change
local function extraction(client, bufnr, params)
  return {
    client = client,
    prompt = 'The new step: ',
    verb = 'Extract',
    past = 'extracted',
    summary = function(plan)
      return ('%s in %s'):format(client_of.counted(plan.places, 'place'), client_of.counted(plan.files, 'file'))
    end,
    plan_for = function(wording, on_plan)
      local asked = vim.tbl_extend('error', { wording = wording }, params)
      client_of.request(client, 'cukereuse/extractPlan', asked, function(plan)
        on_plan(plan or { refused = 'there is no recurring block of steps here' })
      end, bufnr)
    end,
  }
end

--- Extract the block around the cursor, or at the position that a command brought along.
---@param bufnr integer
---@param given? { textDocument?: table, position?: table, block?: string }
---@param wording? string
function M.run(bufnr, given, wording)
  change_of.begin(bufnr, given, wording, function(client, params)
    params.block = given and given.block
    return extraction(client, bufnr, params)
  end, function(change)
    change.plan_for(nil, function(plan)
      if plan.refused then
        client_of.notify(plan.refused, vim.log.levels.WARN)
      else
        change_of.ask(change, plan.wording)
      end
    end)
  end)
end

---@param bufnr integer
---@param wording string
function M.command(bufnr, wording)
  M.run(bufnr, nil, wording)
end

return M
