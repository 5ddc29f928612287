#!/usr/bin/env bash
# Install the unmodified library of Standard Webhooks for Python, which test/webhook-receivers verifies with, from PyPI into
# .interop-tools. No package runs a script: only built ones with the checksum of the requirements are accepted.
set -uo pipefail
cd "$(dirname "$0")/.."
python=.interop-tools/webhook-receivers/python

{ python3 -m venv "$python" \
  && "$python/bin/pip" install --quiet --only-binary :all: --require-hashes --requirement test/webhook-receivers/tools/requirements.txt; } || {
  echo "NOT INSTALLED: standardwebhooks for Python, because Python has no venv or PyPI does not have it. Its test will fail."
  exit 1
}
