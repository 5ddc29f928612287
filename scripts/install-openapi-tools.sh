#!/usr/bin/env bash
# Install the unmodified programs that the interop runs of test/openapi-clients use into .interop-tools: from npm
# openapi-typescript, openapi-fetch and Spectral, from PyPI openapi-python-client, from its Go module oapi-codegen.
# What cannot be had is named; the others are installed.
set -uo pipefail
cd "$(dirname "$0")/.."
sources=$PWD/test/openapi-clients
target=$PWD/.interop-tools/openapi-clients
oapi_codegen_version=v2.8.2
failed=

not_installed() {
  echo "NOT INSTALLED: $1. Its tests will fail."
  failed=yes
}

mkdir -p "$target/npm"
cp "$sources"/tools/package.json "$target/npm/"
npm install --prefix "$target/npm" --ignore-scripts --no-audit --no-fund \
  || not_installed "openapi-typescript, openapi-fetch and Spectral, because npm does not have them"

{ python3 -m venv "$target/python" && "$target/python/bin/pip" install --quiet --requirement "$sources/tools/requirements.txt"; } \
  || not_installed "openapi-python-client, because Python has no venv or PyPI does not have it"

{ GOFLAGS= CGO_ENABLED=0 GOBIN="$target/go" go install "github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@$oapi_codegen_version" \
  && (cd "$sources/go" && GOFLAGS= go mod download); } \
  || not_installed "oapi-codegen, because there is no Go that can compile it, or the module proxy does not have it"

test -z "$failed"
