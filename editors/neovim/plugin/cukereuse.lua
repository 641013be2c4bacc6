--- `:Cukereuse`, and what happens when the server attaches. Loads nothing until then.

if vim.g.loaded_cukereuse then
  return
end
vim.g.loaded_cukereuse = true

if vim.fn.has('nvim-0.11') == 0 then
  vim.notify('cukereuse needs Neovim 0.11 or newer', vim.log.levels.ERROR)
  return
end

vim.api.nvim_create_user_command('Cukereuse', function(call)
  require('cukereuse.command').run(call)
end, {
  nargs = '*',
  desc = 'Similar steps, cluster rename, scan, report, log, status',
  complete = function(...)
    return require('cukereuse.command').complete(...)
  end,
})

vim.api.nvim_create_autocmd('LspAttach', {
  group = vim.api.nvim_create_augroup('cukereuse', {}),
  desc = 'cukereuse: version check, watched files, code lenses',
  callback = function(event)
    local client = vim.lsp.get_client_by_id(event.data.client_id)
    if client and client.name == 'cukereuse' then
      require('cukereuse.attach').attached(client, event.buf)
    end
  end,
})
