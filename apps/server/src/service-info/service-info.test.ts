import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { problems } from '@parley/contract'
import { sendRequest } from '../../test/people.ts'
import { expectOk, expectProblem } from '../../test/replies.ts'
import { startApp } from '../../test/start-app.ts'

const app = await startApp({ environment: { TZ_ALIASES: 'IST=Asia/Jerusalem,HQ=Europe/Berlin' } })

test('shows everyone the running version, and its Node', async () => {
  assert.deepEqual(await expectOk(sendRequest(app, 'GET', '/version')), { version: 'test', node: process.version })
})

type Zone = { code: string; timeZone: string; settledAgainst: string }
const { timeZones }: { timeZones: Zone[] } = await expectOk(sendRequest(app, 'GET', '/api/time-zones'))
const find = (sought: string) => timeZones.filter(({ code }) => code === sought)

test('lists the codes to everyone in order, each once, with alternative meanings as well', () => {
  const codes = timeZones.map(({ code }) => code)
  assert.deepEqual(codes, [...new Set(codes)])
  assert.deepEqual(
    codes,
    codes.toSorted((one, other) => one.localeCompare(other, 'en')),
  )
  const [bst] = find('BST')
  assert.equal(bst?.timeZone, 'Europe/London')
  assert.notEqual(bst?.settledAgainst, '')
})

test("lists the operator's codes before the built-in ones", () => {
  assert.deepEqual(find('IST'), [{ code: 'IST', timeZone: 'Asia/Jerusalem', settledAgainst: '' }])
  assert.deepEqual(find('HQ'), [{ code: 'HQ', timeZone: 'Europe/Berlin', settledAgainst: '' }])
})

const browser = 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8'

test('the type of a problem leads to the meaning of its code', async () => {
  const refused = await sendRequest(app, 'GET', '/api/my_profile')
  const { pathname } = new URL(refused.body.type)
  const body = await expectOk(sendRequest(app, 'GET', pathname))
  assert.deepEqual(body, { code: 'unauthorized', ...problems.unauthorized })
})

test('answers not found for an unknown code, and for a property name of an object', async () => {
  for (const code of ['nothing', 'constructor', '__proto__', '..%2f..%2fpackage.json', '%3Cscript%3E']) {
    for (const accept of [browser, 'application/json']) {
      const { status } = await fetch(`${app.base}/problems/${code}`, { headers: { accept } })
      assert.equal(status, 404, code)
    }
  }
  await expectProblem(sendRequest(app, 'GET', '/problems/nothing'), 'not_found')
})

test('says where vulnerabilities are reported, where the operator has said so (RFC 9116)', async () => {
  const path = '/.well-known/security.txt'
  assert.equal((await fetch(app.base + path)).status, 404)
  const { base } = await startApp({ environment: { SECURITY_CONTACT: 'mailto:security@example.org' } })
  const response = await fetch(base + path)
  assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
  const fields = new Map(
    (await response.text())
      .trimEnd()
      .split('\n')
      .map((line) => line.split(': ', 2) as [string, string]),
  )
  assert.equal(fields.get('Contact'), 'mailto:security@example.org')
  assert.match(fields.get('Canonical') ?? '', /^https?:\/\/.+\/\.well-known\/security\.txt$/)
  const daysLeft = (Date.parse(fields.get('Expires') ?? '') - Date.now()) / 86_400_000
  assert.ok(daysLeft > 30 && daysLeft < 365, String(daysLeft))
})

test('serves the icons, and the manifest that names them', async () => {
  const types = {
    '/icon.svg': 'image/svg+xml',
    '/favicon.svg': 'image/svg+xml',
    '/favicon.ico': 'image/x-icon',
    '/icon-180.png': 'image/png',
  }
  for (const [path, type] of Object.entries(types)) {
    const reply = await fetch(app.base + path)
    assert.deepEqual([reply.status, reply.headers.get('content-type')], [200, type])
    const file = readFileSync(new URL(`.${path.replace('/favicon.svg', '/icon.svg')}`, import.meta.url))
    assert.deepEqual(Buffer.from(await reply.arrayBuffer()), file)
  }
  const manifest = await fetch(`${app.base}/manifest.webmanifest`)
  assert.equal(manifest.headers.get('content-type'), 'application/manifest+json')
  const { icons, start_url: start } = (await manifest.json()) as {
    icons: { src: string; type: string }[]
    start_url: string
  }
  assert.equal(start, '/meetings')
  for (const { src, type } of icons) {
    const { status, headers } = await fetch(app.base + src)
    assert.deepEqual([status, headers.get('content-type')], [200, type], src)
  }
})
