#!/usr/bin/env bash
# Installs what `npm run judges` runs, unmodified, from Debian: OAuth clients (Authlib, requests-oauthlib, Go's x/oauth2),
# readers of calendars (icalendar with recurring-ical-events, libical) and a mail server (aiosmtpd).
set -euo pipefail
as_root=()
if [ "$(id -u)" -ne 0 ]; then as_root=(sudo); fi
packages=(python3 python3-authlib python3-requests-oauthlib golang-golang-x-oauth2-dev)
packages+=(python3-icalendar python3-recurring-ical-events python3-gi gir1.2-ical-3.0 python3-aiosmtpd)
if ! command -v go > /dev/null; then packages+=(golang-go); fi
"${as_root[@]}" apt-get update -q
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends "${packages[@]}"
