import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { request as sendRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { approvedApp } from '../../test/oauth/approved-app.ts'
import { signUp } from '../../test/people.ts'
import { errorsIn, startApp } from '../../test/start-app.ts'
import { readWebBuild } from './web-app.ts'

const folder = await mkdtemp(join(tmpdir(), 'parley-site-'))
after(() => rm(folder, { recursive: true }))
await mkdir(join(folder, 'assets'))
const script = 'console.log("x")\n'.repeat(100)
await writeFile(join(folder, 'index.html'), '<meta property="csp-nonce" nonce="PARLEY_STYLE_NONCE"><p>Parley')
await writeFile(
  join(folder, 'embed.html'),
  '<meta property="csp-nonce" nonce="PARLEY_STYLE_NONCE"><meta name="origins" content="PARLEY_EMBED_ORIGINS">',
)
await writeFile(join(folder, 'embed.js'), script)
await writeFile(join(folder, 'addresses.json'), '["/", "/j/$code"]')
await writeFile(join(folder, 'service-worker.js'), script)
await writeFile(join(folder, 'assets/main-abc.js'), script)
await writeFile(join(folder, 'assets/main-abc.js.gz'), gzipSync(script))
await writeFile(join(folder, 'assets/background-wasm-worker-a_b-c.js'), script)
await writeFile(join(folder, 'assets/background-wasm-worker-a_b-c.js.gz'), gzipSync(script))
await mkdir(join(folder, 'packages'))
const client = gzipSync('package')
await writeFile(join(folder, 'packages/parley-client-1.2.3.tgz'), client)
await writeFile(join(folder, 'packages/parley-client-py-1.2.3.tgz'), client)
const site = await readWebBuild(folder)
assert.ok(site)
const app = await startApp({ site })
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const get = (path: string, headers: Record<string, string> = {}) => fetch(app.base + path, { headers })

test('answers each page’s address with the document, uncached, under a strict policy', async () => {
  for (const path of ['/', '/j/1234567890', '/j/1234567890?next=1']) {
    const answer = await get(path, html)
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal(answer.headers.get('cache-control'), 'no-cache')
    const policy = answer.headers.get('content-security-policy') ?? ''
    const nonce = /nonce="([^"]+)"/.exec(await answer.text())?.[1]
    assert.ok(nonce !== undefined && nonce.length >= 22)
    assert.ok(policy.includes(`style-src 'self' 'nonce-${nonce}'`))
    assert.ok(policy.includes("script-src 'self';"))
    assert.ok(policy.includes("frame-ancestors 'none'"))
    assert.doesNotMatch(policy, /unsafe|data:|\*/)
    assert.ok(policy.includes("connect-src 'self' ws://parley.test http://parley.test;"), policy)
    assert.match(
      answer.headers.get('permissions-policy') ?? '',
      /^camera=\(self\), microphone=\(self\), display-capture=/,
    )
  }
})

test('with LiveKit, allows pages to connect to it as well, and to no other origin', async () => {
  const livekit = { LIVEKIT_URL: 'wss://livekit.example.org', LIVEKIT_API_KEY: 'parley', LIVEKIT_API_SECRET: 'hush' }
  const { base } = await startApp({ site, environment: livekit })
  const policy = (await fetch(base)).headers.get('content-security-policy') ?? ''
  assert.ok(policy.includes("connect-src 'self' wss://livekit.example.org https://livekit.example.org;"), policy)
})

test('gives every reply its own nonce', async () => {
  const policies = await Promise.all([1, 2, 3].map(async () => (await get('/')).headers.get('content-security-policy')))
  assert.equal(new Set(policies).size, 3)
})

test('caches files that are named by their content permanently, and sends them as they were compressed', async () => {
  const answer = await get('/assets/main-abc.js', { 'accept-encoding': 'gzip' })
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(answer.headers.get('content-encoding'), 'gzip')
  assert.match(answer.headers.get('vary') ?? '', /accept-encoding/i)
  assert.match(answer.headers.get('content-type') ?? '', /javascript; charset=utf-8$/)
  assert.equal(await answer.text(), script)
  const plain = await get('/assets/main-abc.js', { 'accept-encoding': 'identity' })
  assert.equal(plain.headers.get('content-encoding'), null)
  assert.equal(await plain.text(), script)
})

test('offers the clients to npm and pip, by their version as well, and again only when they have changed', async () => {
  for (const path of ['/client.tgz', '/client-1.2.3.tgz', '/client-py.tgz', '/client-py-1.2.3.tgz']) {
    const answer = await get(path, { 'accept-encoding': 'gzip' })
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/gzip'])
    assert.equal(answer.headers.get('cache-control'), 'no-cache')
    assert.equal(answer.headers.get('content-encoding'), null, 'npm keeps the bytes, which are compressed already')
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), client)
    const tag = answer.headers.get('etag') ?? ''
    assert.match(tag, /^"[\w-]{22}"$/)
    assert.equal((await get(path, { 'if-none-match': tag })).status, 304)
    assert.equal((await get(path, { 'if-none-match': '"other"' })).status, 200)
    const head = await fetch(app.base + path, { method: 'HEAD' })
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, `${client.length}`])
    assert.equal((await fetch(app.base + path, { method: 'POST' })).status, 405)
  }
  assert.equal((await get('/client-1.2.2.tgz')).status, 404)
})

test('only the workers that compile WebAssembly may do so', async () => {
  const policyOf = async (path: string, encoding: string) =>
    (await get(path, { 'accept-encoding': encoding })).headers.get('content-security-policy') ?? ''
  for (const encoding of ['gzip', 'identity']) {
    assert.equal(
      await policyOf('/assets/background-wasm-worker-a_b-c.js', encoding),
      "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'",
    )
    assert.doesNotMatch(await policyOf('/assets/main-abc.js', encoding), /unsafe/)
  }
})

test('has browsers ask for the service worker each time, which may act for all pages and fetch from here only', async () => {
  const answer = await get('/service-worker.js')
  assert.equal(answer.status, 200)
  assert.equal(answer.headers.get('content-type'), 'text/javascript; charset=utf-8')
  assert.equal(answer.headers.get('cache-control'), 'no-cache')
  assert.equal(answer.headers.get('content-security-policy'), "default-src 'none'; connect-src 'self'")
  assert.equal(await answer.text(), script)
  const held = answer.headers.get('etag') ?? ''
  assert.equal((await get('/service-worker.js', { 'if-none-match': held })).status, 304)
  const page = await get('/', html)
  assert.match(page.headers.get('content-security-policy') ?? '', /; worker-src 'self';/)
})

test('answers an unknown address with a 404 page for a person, and a problem for a program', async () => {
  const page = await get('/nowhere', html)
  assert.equal(page.status, 404)
  assert.match(await page.text(), /Parley/)
  for (const [path, headers] of [
    ['/nowhere', { accept: 'application/json' }],
    ['/api/nowhere', html],
    ['/assets/gone.js', { accept: '*/*' }],
    ['/assets/../index.html', { accept: '*/*' }],
    ['/assets/..%2findex.html', { accept: '*/*' }],
    ['/addresses.json', { accept: '*/*' }],
  ] as const) {
    const answer = await get(path, headers)
    assert.equal(answer.status, 404, path)
    assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/, path)
  }
})

/** `fetch` would normalize the path first. */
const statusOf = (path: string, headers: Record<string, string> = {}) =>
  new Promise<number>((resolve, reject) => {
    const { hostname, port } = new URL(app.base)
    const request = sendRequest({ hostname, port, path, headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
    })
    request.on('error', reject)
    request.end()
  })

test('answers a path that leaves the folder, or is invalid, with not found, and logs no error', async () => {
  const before = app.logged.length
  const paths = [
    '../x',
    '../../package.json',
    '%2e%2e/%2e%2e/package.json',
    '..%2f..%2fx',
    './main-abc.js',
    '/main-abc.js',
    '',
    '%00',
    'main-abc.js%00',
    '%',
    '%ff',
    'x%5c..%5cy',
    '.env',
    'main-abc.js/',
    'MAIN-ABC.js',
    'x'.repeat(2_000),
  ]
  for (const path of paths) assert.equal(await statusOf(`/assets/${path}`), 404, path)
  assert.deepEqual(errorsIn(app.logged.slice(before)), [])
})

test('answers an unmet condition with 412, and ignores a range', async () => {
  const before = app.logged.length
  const file = '/assets/main-abc.js'
  assert.equal(await statusOf(file, { 'if-match': '"other"' }), 412)
  assert.equal(await statusOf(file, { 'if-unmodified-since': 'Mon, 01 Jan 2001 00:00:00 GMT' }), 412)
  assert.equal(await statusOf(file, { 'if-match': '*' }), 200)
  for (const range of ['bytes=0-1', 'bytes=999999999-', 'bytes=x', `bytes=${'0-0,'.repeat(200)}1-1`]) {
    assert.equal(await statusOf(file, { range }), 200, range)
  }
  assert.deepEqual(errorsIn(app.logged.slice(before)), [])
})

test('accepts only GET and HEAD for a page’s address', async () => {
  const refused = await fetch(`${app.base}/`, { method: 'POST' })
  assert.equal(refused.status, 405)
  assert.equal(refused.headers.get('allow'), 'GET, HEAD')
  assert.equal((await fetch(`${app.base}/`, { method: 'HEAD' })).status, 200)
})

test('serves the API only without built pages', async () => {
  assert.equal(await readWebBuild(join(folder, 'nowhere')), undefined)
})

test('lets the pages of an app embed meetings where a reviewer has approved their origins, and no others', async () => {
  const dana = await signUp(app, 'Dana')
  const embedOrigins = ['https://planner.example', 'http://localhost:3000']
  const { appId, clientId, sandboxClientId } = await approvedApp(app, dana, { embedOrigins })
  const answered = async (query: string) => {
    const { headers, status, text } = await get(`/embed/1234567890${query}`, html).then(async (answer) => ({
      headers: answer.headers,
      status: answer.status,
      text: await answer.text(),
    }))
    const [, ancestors] = /frame-ancestors ([^;]*)/.exec(headers.get('content-security-policy') ?? '') ?? []
    assert.deepEqual([status, headers.get('cache-control')], [200, 'no-store'])
    return { ancestors, frameOptions: headers.get('x-frame-options'), origins: /content="([^"]*)"/.exec(text)?.[1] }
  }
  const listed = embedOrigins.join(' ')
  const refused = { ancestors: "'none'", frameOptions: 'DENY', origins: '' }
  assert.deepEqual(await answered(`?clientId=${clientId}`), { ancestors: listed, frameOptions: null, origins: listed })
  const local = { ancestors: 'http://localhost:3000', frameOptions: null, origins: 'http://localhost:3000' }
  assert.deepEqual(await answered(`?clientId=${sandboxClientId}`), local)
  for (const query of ['', '?clientId=', '?clientId=app_unknown', `?clientId=${clientId}&clientId=${clientId}`]) {
    assert.deepEqual(await answered(query), refused, query)
  }
  await app.database.updateTable('app').set({ status: 'suspended' }).where('id', '=', appId).execute()
  for (const id of [clientId, sandboxClientId]) assert.deepEqual(await answered(`?clientId=${id}`), refused)
})

test('lets pages of any origin load the script that makes the frame', async () => {
  const answer = await get('/embed.js', { origin: 'https://planner.example' })
  assert.equal(answer.headers.get('content-type'), 'text/javascript; charset=utf-8')
  assert.equal(answer.headers.get('access-control-allow-origin'), '*')
  assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin')
  assert.equal(answer.headers.get('cache-control'), 'no-cache')
  assert.equal(await answer.text(), script)
})
