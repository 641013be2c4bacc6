--- Which buffers the server is attached to, and which folder is their workspace. Looks at names of files only.

local M = {}

--- Filetypes of glue code, for references and definitions, with the protocol's names where they differ.
local GLUE = {
  cs = 'csharp',
  go = true,
  java = true,
  javascript = true,
  javascriptreact = true,
  kotlin = true,
  php = true,
  python = true,
  ruby = true,
  rust = true,
  scala = true,
  typescript = true,
  typescriptreact = true,
}

local REPOSITORY = { '.git', '.hg', '.jj', '.svn' }

--- Configurations that mark a suite: cukereuse's own and those of runners.
local SUITE = {
  'cukereuse.toml',
  'behave.ini',
  '.behaverc',
  'cucumber.js',
  'cucumber.cjs',
  'cucumber.mjs',
  'cucumber.ts',
  'cucumber.json',
  'cucumber.yml',
  'cucumber.yaml',
  'cucumber.properties',
  '.cypress-cucumber-preprocessorrc.json',
  'behat.yml',
  'behat.yaml',
  'behat.php',
  'behat.yml.dist',
  'behat.dist.yml',
  'reqnroll.json',
  'specflow.json',
}

local PROJECT = {
  'pyproject.toml',
  'setup.py',
  'package.json',
  'pom.xml',
  'build.gradle',
  'build.gradle.kts',
  'composer.json',
  'go.mod',
  'Cargo.toml',
  'Gemfile',
}

---@return string[]
function M.filetypes()
  local filetypes = vim.tbl_keys(GLUE)
  table.sort(filetypes)
  -- markdown for *.feature.md; other Markdown files stay alone
  return vim.list_extend({ 'cucumber', 'markdown' }, filetypes)
end

---@param filetype string
---@return string
function M.language_id(filetype)
  if filetype == 'markdown' then
    return 'cucumber'
  end
  local glue = GLUE[filetype]
  return type(glue) == 'string' and glue or filetype
end

---@param path string
---@param folder string
---@return boolean
function M.is_below(path, folder)
  return vim.fs.relpath(folder, path) ~= nil
end

--- Workspace folder of a buffer; nil where the server has nothing to do with it.
---@param bufnr integer
---@return string?
function M.root(bufnr)
  local path = vim.api.nvim_buf_get_name(bufnr)
  if path == '' or path:match('^%a[%w+.-]+://') then
    return nil
  end
  path = vim.fs.normalize(vim.fs.abspath(path))
  local filetype = vim.bo[bufnr].filetype
  if filetype == 'markdown' and not path:match('%.feature%.md$') then
    return nil
  end
  for _, client in ipairs(vim.lsp.get_clients({ name = 'cukereuse', _uninitialized = true })) do
    if client.root_dir and not client:is_stopped() and M.is_below(path, client.root_dir) then
      return client.root_dir
    end
  end
  local root = M.folder_of(path)
  if GLUE[filetype] and not M.holds_features(path, root) then
    return nil
  end
  return root
end

--- The folder that a server should read for a file: its repository; else the nearest folder with a suite's or a
--- project's configuration; else what holds its outermost folder `features`; else its own folder. Never the home folder
--- or anything above it.
---@param path string absolute and normalised
---@return string
function M.folder_of(path)
  local own = vim.fs.dirname(path)
  for _, markers in ipairs({ REPOSITORY, { SUITE, PROJECT } }) do
    local marked = M._marked(own, markers)
    if marked then
      return marked
    end
  end
  local found = own
  for folder in M._folders(own) do
    if vim.fs.basename(folder) == 'features' then
      found = vim.fs.dirname(folder)
    end
  end
  return found
end

--- Whether a file of glue code stands beside feature files: below a suite's configuration or a folder `features`.
---@param path string
---@param root string
---@return boolean
function M.holds_features(path, root)
  for folder in M._folders(vim.fs.dirname(path)) do
    for _, name in ipairs(SUITE) do
      if vim.uv.fs_stat(vim.fs.joinpath(folder, name)) then
        return true
      end
    end
    local features = vim.uv.fs_stat(vim.fs.joinpath(folder, 'features'))
    if features and features.type == 'directory' then
      return true
    end
    if folder == root then
      break
    end
  end
  return false
end

--- A folder and those above it, up to the home folder or the file system's root, without these.
---@param folder string
---@return fun(): string?
function M._folders(folder)
  local home = vim.fs.normalize(vim.uv.os_homedir() or '~')
  local next_folder = folder ---@type string?
  return function()
    local current = next_folder
    if not current or current == home or vim.fs.dirname(current) == current then
      return nil
    end
    next_folder = vim.fs.dirname(current)
    return current
  end
end

---@param folder string
---@param markers string[]|string[][]
---@return string?
function M._marked(folder, markers)
  local names = vim.iter(markers):flatten():totable()
  for current in M._folders(folder) do
    for _, name in ipairs(names) do
      if vim.uv.fs_stat(vim.fs.joinpath(current, name)) then
        return current
      end
    end
  end
  return nil
end

return M
