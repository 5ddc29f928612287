import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { buildWebWhenStale } from '../../scripts/build-web.ts'

/**
 * Rehearse the first installation on a machine with a domain: Parley, Caddy before it, and a certificate that Caddy obtains
 * by ACME. A network namespace is the internet: its names are in a file of hosts, and its certificate authority is
 * Pebble, which Let's Encrypt tests clients with. Needs root, caddy and pebble (scripts/install-interop-tools.sh).
 */

await buildWebWhenStale()
const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = await mkdtemp(join(tmpdir(), 'parley-first-install-'))
after(() => rm(folder, { recursive: true, force: true }))

const write = (name: string, text: string) => writeFile(join(folder, name), text)
await write('hosts', '127.0.0.1 localhost meet.example.org acme.example.org\n')
await write(
  'pebble.json',
  JSON.stringify({
    pebble: {
      listenAddress: '127.0.0.1:14000',
      managementListenAddress: '127.0.0.1:15000',
      certificate: join(folder, 'acme.pem'),
      privateKey: join(folder, 'acme.key'),
      httpPort: 80,
      tlsPort: 443,
    },
  }),
)
// As `caddy reverse-proxy` of compose.small.yaml, with another authority than Let's Encrypt.
await write(
  'Caddyfile',
  [
    '{',
    '  acme_ca https://acme.example.org:14000/dir',
    `  acme_ca_root ${folder}/acme.pem`,
    '}',
    'meet.example.org {',
    '  reverse_proxy 127.0.0.1:3000',
    '}',
  ].join('\n'),
)
const key = `-newkey rsa:2048 -nodes -keyout ${folder}/acme.key -out ${folder}/acme.pem -days 2`
const names = '-subj /CN=acme.example.org -addext subjectAltName=DNS:acme.example.org'
const settings = 'BASE_URL=https://meet.example.org TRUST_PROXY=127.0.0.1 SIGN_UP=invite'
const environment = `${settings} DATA_DIR=${folder}/data MEDIA_UDP_PORT=0`
const account = {
  email: 'alice@example.org',
  password: 'correct horse battery staple',
  name: 'Alice',
  lname: 'Ahuja',
}
const meeting = {
  topic: 'Hello',
  description: '',
  participants: [],
  startTime: '2030-01-07T09:00:00Z',
  endTime: '2030-01-07T09:30:00Z',
  isPinEnabled: true,
  advancedOptions: {},
  repeatOptions: { repeat: 'none', timeZone: 'UTC' },
}
await write('meeting.json', JSON.stringify(meeting))
await write('account.json', JSON.stringify({ ...account, setUpCode: 'CODE' }))
await write(
  'install.sh',
  [
    'set -eu',
    'ip link set lo up',
    `mount --bind ${folder}/hosts /etc/hosts`,
    `openssl req -x509 ${key} ${names} 2> ${folder}/openssl.log`,
    `PEBBLE_VA_NOSLEEP=1 pebble -config ${folder}/pebble.json > ${folder}/pebble.log 2>&1 &`,
    // The root of Pebble's certificates is made anew at each start. Caddy asks again after a minute if Pebble is not there.
    `until curl -sf --cacert ${folder}/acme.pem https://acme.example.org:15000/roots/0 > ${folder}/root.pem; do sleep 0.2; done`,
    `HOME=${folder} XDG_DATA_HOME=${folder} XDG_CONFIG_HOME=${folder} caddy run --adapter caddyfile --config ${folder}/Caddyfile > ${folder}/caddy.log 2>&1 &`,
    `cd ${root}`,
    `env ${environment} ${process.execPath} apps/server/src/main.ts > ${folder}/parley.log 2>&1 &`,
    `ask() { curl -sS --fail-with-body --cacert ${folder}/root.pem "$@"; }`,
    'until ask https://meet.example.org/readyz > /dev/null 2>&1; do sleep 0.2; done',
    `code=$(sed -n 's/^- set-up: *\\([^ ]*\\) .*/\\1/p' ${folder}/parley.log)`,
    `sed -i "s/CODE/$code/" ${folder}/account.json`,
    `token=$(ask https://meet.example.org/api/auth/sign-up --json @${folder}/account.json | tee ${folder}/signed-up.json | sed -E 's/.*"token":"([^"]+)".*/\\1/')`,
    `ask https://meet.example.org/api/meeting -H "Authorization: Bearer $token" --json @${folder}/meeting.json > ${folder}/created.json`,
    `ask -o /dev/null -w '%{http_code} %{redirect_url}' http://meet.example.org/ > ${folder}/redirect`,
    `ask -o ${folder}/page.html -w '%{http_version} %{ssl_verify_result}' https://meet.example.org/ > ${folder}/page`,
    `env ${environment} SSL_CERT_FILE=${folder}/root.pem NODE_EXTRA_CA_CERTS=${folder}/root.pem ${process.execPath} apps/server/src/parley.ts doctor > ${folder}/doctor.log`,
  ].join('\n'),
)
const read = (name: string) => readFile(join(folder, name), 'utf8').catch(() => '')

test('a service with a domain gets a certificate, its first account and its first meeting', async () => {
  const words = [
    '--mount',
    '--net',
    '--pid',
    '--fork',
    '--kill-child',
    '--mount-proc',
    'sh',
    join(folder, 'install.sh'),
  ]
  await promisify(execFile)('unshare', words, { timeout: 180_000 }).catch(async (error) => {
    const logs = await Promise.all(['caddy.log', 'parley.log', 'signed-up.json'].map(read))
    assert.fail(`${error.message}\n${error.stderr}\n${logs.map((log) => log.slice(-3_000)).join('\n---\n')}`)
  })
  const { meetingDetails } = JSON.parse(await read('created.json'))
  assert.match(meetingDetails.meetingUrl, /^https:\/\/meet\.example\.org\/j\/\d{10}#pin=/)
  assert.equal(await read('redirect'), '308 https://meet.example.org/')
  assert.equal(await read('page'), '2 0', 'HTTP/2, and the certificate is trusted')
  assert.match(await read('page.html'), /<div id="root"|<script type="module"/)
  assert.match(await read('caddy.log'), /certificate obtained successfully/)
  const checks = (await read('doctor.log')).split('\n')
  const kindOf = (name: string) => checks.find((line) => line.includes(` ${name}: `))?.split(' ')[0]
  assert.deepEqual(['address', 'database', 'secret key', 'jobs', 'disk'].map(kindOf), ['ok', 'ok', 'ok', 'ok', 'ok'])
})
