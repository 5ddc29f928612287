#!/usr/bin/env bash
# Install the unmodified programs that the interop runs of test/mcp use into .interop-tools: from npm the conformance
# suite of the Model Context Protocol, from PyPI its Python client. What cannot be had is named; the others are
# installed.
set -uo pipefail
cd "$(dirname "$0")/.."
sources=$PWD/test/mcp/tools
target=$PWD/.interop-tools/mcp
failed=

not_installed() {
  echo "NOT INSTALLED: $1. Its tests will fail."
  failed=yes
}

mkdir -p "$target/npm"
cp "$sources"/package.json "$target/npm/"
(cd "$target/npm" && npm install --ignore-scripts --no-audit --no-fund) \
  || not_installed "the conformance suite of MCP, because npm does not have it"

{ python3 -m venv "$target/python" && "$target/python/bin/pip" install --quiet --requirement "$sources/requirements.txt"; } \
  || not_installed "the Python client of MCP, because Python has no venv or PyPI does not have it"

test -z "$failed"
