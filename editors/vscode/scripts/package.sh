#!/usr/bin/env bash
# Makes build/cukereuse.vsix, with the project's wheel in it. Needs Node, npm and a Python with pip.
set -euo pipefail
cd "$(dirname "$0")/.."
python=${PYTHON:-python3}
most_bytes=$((3 * 1024 * 1024))

bash scripts/packages.sh
rm -rf server dist
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --wheel-dir server ../..
cp ../../LICENSE ../../CHANGELOG.md .
npx tsc --noEmit
node scripts/build.mjs
mkdir -p build
npx vsce package --no-dependencies --out build/cukereuse.vsix

bytes=$(wc -c < build/cukereuse.vsix)
[ "$bytes" -lt "$most_bytes" ] || { echo "the package has $bytes bytes, more than $most_bytes" >&2; exit 1; }
