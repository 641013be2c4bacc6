#!/usr/bin/env bash
# Tries the packaged extension in a real workbench: code-server under Node, opened by Debian's Chromium.
#
#   workbench.sh             makes the package, installs the workbench where it is not there, runs test/workbench
#   workbench.sh --install   only installs; runs at one time wait for each other
#   workbench.sh --packaged  takes build/cukereuse.vsix as it is
#
# Further arguments go to node, such as --test-name-pattern.
# CUKEREUSE_WORKBENCH  where the workbench is installed; ~/.cache/cukereuse/workbench
# CUKEREUSE_COMMAND    the cukereuse to serve; the one on PATH
# CHROMIUM             the browser; chromium on PATH
# Exit code 77: something that must be on the machine is not there; the last line says what.
set -euo pipefail
cd "$(dirname "$0")/.."
version=4.100.3 # the newest that runs on Node 20; VS Code 1.100
workbench=${CUKEREUSE_WORKBENCH:-${XDG_CACHE_HOME:-$HOME/.cache}/cukereuse/workbench}

need() { command -v "$1" >/dev/null || { echo "skipped: $1 is not on this machine; $2" >&2; exit 77; }; }
need node "it comes with Debian's nodejs"
need npm "it comes with Debian's npm"
need rg "it comes with Debian's ripgrep"
need g++ "two modules of the workbench are compiled"

install_workbench() {
  [ "$(cat "$workbench/.version" 2>/dev/null)" = "$version" ] && return
  rm -rf "$workbench"
  mkdir -p "$workbench"
  echo '{ "private": true }' > "$workbench/package.json"
  local server=$workbench/node_modules/code-server quiet="--ignore-scripts --no-audit --no-fund --loglevel=error"
  # shellcheck disable=SC2086
  npm install --prefix "$workbench" $quiet "code-server@$version"
  # shellcheck disable=SC2086
  npm install --prefix "$server/lib/vscode" $quiet --omit=dev --legacy-peer-deps
  npm rebuild --prefix "$workbench" --no-audit --loglevel=error argon2
  npm rebuild --prefix "$server/lib/vscode" --no-audit --loglevel=error @vscode/spdlog native-watchdog
  # ripgrep would be downloaded by an install script
  find "$server" -type d -path '*@vscode/ripgrep' -not -path '*/ripgrep/*' | while read -r folder; do
    mkdir -p "$folder/bin"
    ln -sf "$(command -v rg)" "$folder/bin/rg"
  done
  node "$server/out/node/entry.js" --version
  echo "$version" > "$workbench/.version"
}

mkdir -p "$(dirname "$workbench")"
exec 9>"$workbench.lock"
flock 9
install_workbench
flock -u 9
[ "${1:-}" != --install ] || exit 0

CHROMIUM=${CHROMIUM:-$(command -v chromium || true)}
[ -n "$CHROMIUM" ] || { echo "skipped: there is no chromium on this machine; it comes with Debian's chromium" >&2; exit 77; }
CUKEREUSE_COMMAND=${CUKEREUSE_COMMAND:-$(command -v cukereuse || true)}
[ -n "$CUKEREUSE_COMMAND" ] || { echo "cukereuse is not on PATH; install the project first" >&2; exit 1; }
if [ "${1:-}" = --packaged ]; then shift; else bash scripts/package.sh; fi
export CHROMIUM CUKEREUSE_COMMAND CUKEREUSE_WORKBENCH=$workbench
node --test --test-reporter=spec "$@" test/workbench/workbench.test.mjs
