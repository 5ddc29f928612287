#!/usr/bin/env bash
# Install the unmodified programs that `npm run test:interop` and `npm run failover` use. From Debian: OAuth clients
# (Authlib, requests-oauthlib, Go's x/oauth2, PHP, Java), PostgreSQL with Patroni, etcd and HAProxy, calendar readers (icalendar
# with recurring-ical-events, libical, khal), a CalDAV server (Radicale), mail servers (aiosmtpd, Postfix), Redis,
# coturn, nginx, Caddy, Pebble, Compose, PgBouncer and Prometheus (promtool). From its Go module, where an installed Go can
# compile it: livekit-server, into .interop-tools. From npm: Bruno, into .interop-tools. From npm, PyPI and a Go module: generators of
# API clients, from PyPI the library of Standard Webhooks, and from npm and PyPI the conformance suite and Python client
# of MCP, into .interop-tools.
set -euo pipefail
cd "$(dirname "$0")/.."
as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi

# Debian's Go compiles the interop programs from Debian's packages but is too old for LiveKit, so look for a newer Go
# first.
livekit_version=v1.13.5
livekit=.interop-tools/livekit-server-$livekit_version
go_minor=$({ go env GOVERSION 2> /dev/null || true; } | sed -nE 's/^go1\.([0-9]+).*/\1/p')
build_livekit() {
  # Other versions may have replace directives, which `go install` refuses.
  GOFLAGS= CGO_ENABLED=0 GOBIN="$PWD/.interop-tools" go install -ldflags '-s -w' "github.com/livekit/livekit-server/cmd/server@$livekit_version"
  mv .interop-tools/server "$livekit"
}
building=
if [ -x "$livekit" ]; then
  echo "$livekit is here."
elif [ "${go_minor:-0}" -ge 26 ]; then
  # In parallel with apt, which mostly waits for the network.
  build_livekit &
  building=$!
else
  found=${go_minor:+Go 1.$go_minor}
  echo "NOT BUILT: livekit-server needs Go 1.26 or newer, and there is ${found:-none}. Its tests will not run."
fi

# Into a folder of its own: its 500 packages are no dependencies of Parley.
bruno=.interop-tools/bruno-4.1.0
if [ -d "$bruno/node_modules/@usebruno/cli" ]; then
  echo "$bruno is here."
else
  mkdir -p "$bruno"
  npm install --prefix "$bruno" --ignore-scripts --no-audit --no-fund "@usebruno/cli@${bruno##*-}"
fi

packages=(python3 python3-venv python3-authlib python3-requests-oauthlib golang-golang-x-oauth2-dev php-cli php-curl default-jdk-headless)
packages+=(python3-icalendar python3-recurring-ical-events python3-gi gir1.2-ical-3.0 python3-aiosmtpd radicale khal)
packages+=(postfix redis-server redis-sentinel coturn nginx-light caddy pebble docker-compose pgbouncer prometheus)
# For `npm run failover`.
packages+=(postgresql patroni etcd-server haproxy)
if ! command -v go > /dev/null; then packages+=(golang-go); fi
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${packages[@]}"
if [ -n "$building" ]; then wait "$building"; fi
# They say themselves what they could not install; the tests of those programs fail.
scripts/install-openapi-tools.sh || true
scripts/install-webhook-tools.sh || true
scripts/install-mcp-tools.sh || true
