#!/usr/bin/env bash
# Installs the OAuth clients of Debian that `npm run judges` runs, unmodified: Authlib, requests-oauthlib and Go's x/oauth2.
set -euo pipefail
as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
packages=(python3 python3-authlib python3-requests-oauthlib golang-golang-x-oauth2-dev)
if ! command -v go > /dev/null; then packages+=(golang-go); fi
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${packages[@]}"
