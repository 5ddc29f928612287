import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { systemClock } from '../platform/clock.ts'
import { createHttp } from '../platform/http/http.ts'
import { createLog } from '../platform/log.ts'
import { secureRandom } from '../platform/random.ts'
import { serveOpenapi, serveReference } from './reference.ts'

const baseUrl = 'http://localhost:3000'

function startPages() {
  const log = createLog({ level: 'silent' })
  const http = createHttp({ baseUrl, trustProxy: [], clock: systemClock, random: secureRandom, log })
  serveOpenapi(http, { baseUrl, version: '1.2.3' })
  serveReference(http)
  return http
}

test('Olga opens the reference, and all of it comes from her own server', async () => {
  const http = startPages()
  const page = await http.inject('/reference')
  assert.equal(page.statusCode, 200)
  assert.match(String(page.headers['content-type']), /^text\/html/)
  assert.match(String(page.headers['content-security-policy']), /^default-src 'none'; script-src 'self';/)

  const paths = [...page.body.matchAll(/(?:src|href)="([^"]*)"/g)].map(([, path = '']) => path)
  assert.deepEqual(
    paths.filter((path) => !path.startsWith('/') && path !== 'data:,'),
    [],
  )
  for (const path of paths.filter((found) => found.startsWith('/'))) {
    assert.equal((await http.inject(path)).statusCode, 200, path)
  }
  await http.close()
})

test("sends Scalar's script compressed, and cached permanently", async () => {
  const http = startPages()
  const { body } = await http.inject('/reference')
  const path = /\/reference\/scalar-[\d.]+\.js/.exec(body)?.[0] ?? ''

  const plain = await http.inject(path)
  const compressed = await http.inject({ url: path, headers: { 'accept-encoding': 'br, gzip' } })
  assert.equal(compressed.headers['content-encoding'], 'gzip')
  assert.equal(compressed.headers['cache-control'], 'public, max-age=31536000, immutable')
  assert.match(plain.body, /createApiReference/)
  assert.equal(gunzipSync(compressed.rawPayload).toString(), plain.body)
  assert.ok(compressed.rawPayload.length < 1.5e6)
  await http.close()
})

test('composes the document for this address and version, and answers its tag with 304', async () => {
  const http = startPages()
  const first = await http.inject('/openapi.json')
  assert.deepEqual(first.json().servers, [{ url: baseUrl, description: 'This service' }])
  assert.equal(first.json().info.version, '1.2.3')

  const headers = { 'if-none-match': String(first.headers.etag) }
  const again = await http.inject({ url: '/openapi.json', headers })
  assert.equal(again.statusCode, 304)
  assert.equal(again.body, '')
  await http.close()
})
