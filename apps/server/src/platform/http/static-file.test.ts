import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import Fastify from 'fastify'
import { makeStaticFile, sendStaticFile } from './static-file.ts'

const file = makeStaticFile(Buffer.from('a page'), 'text/plain; charset=utf-8', 'no-cache')
const http = Fastify()
http.get('/page', (request, reply) => sendStaticFile(request, reply, file))

const get = (headers: Record<string, string> = {}) => http.inject({ url: '/page', headers })

const encodings = [
  [undefined, false],
  ['', false],
  ['gzip', true],
  ['GZIP', true],
  ['br, gzip;q=0.1', true],
  ['gzip;q=0', false],
  ['gzip; q=0.0', false],
  ['*', true],
  ['*;q=0', false],
  ['gzip;q=0, *', false],
  ['br', false],
  ['gzip;q=soon', false],
] as const

for (const [accepted, compressed] of encodings) {
  test(`Accept-Encoding ${accepted}: ${compressed ? 'compressed' : 'as it is'}`, async () => {
    const answer = await get(accepted === undefined ? {} : { 'accept-encoding': accepted })
    assert.equal(answer.headers['content-encoding'], compressed ? 'gzip' : undefined)
    const bytes = compressed ? gunzipSync(answer.rawPayload) : answer.rawPayload
    assert.equal(bytes.toString(), 'a page')
    assert.equal(answer.headers.vary, 'accept-encoding')
  })
}

test('gives each representation its own tag, and answers 304 to either', async () => {
  const plain = String((await get()).headers.etag)
  const compressed = String((await get({ 'accept-encoding': 'gzip' })).headers.etag)
  assert.notEqual(plain, compressed)
  for (const held of [plain, compressed, `W/${plain}`, `"other", ${compressed}`, '*']) {
    const answer = await get({ 'if-none-match': held })
    assert.deepEqual([answer.statusCode, answer.body], [304, ''], held)
  }
  assert.equal((await get({ 'if-none-match': '"other"' })).statusCode, 200)
})

test('answers HEAD the same without the bytes', async () => {
  const answer = await http.inject({ method: 'HEAD', url: '/page' })
  assert.deepEqual([answer.statusCode, answer.headers['content-length'], answer.body], [200, '6', ''])
})
