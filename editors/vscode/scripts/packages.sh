#!/usr/bin/env bash
# Installs the extension's development packages where they are not there; runs at one time wait for each other.
set -euo pipefail
cd "$(dirname "$0")/.."
mkdir -p build
if command -v flock >/dev/null; then  # macOS has none
  exec 9>build/packages.lock
  flock 9
fi
[ -d node_modules/typescript ] || npm ci --ignore-scripts --no-audit --no-fund
