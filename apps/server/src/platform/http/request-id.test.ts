import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { secureRandom } from '../random.ts'
import { createIsTrusted } from './client-address.ts'
import { createHttp } from './http.ts'
import { readRequestId } from './request-id.ts'

const isTrusted = createIsTrusted(['10.0.0.0/8'])
const uuid = '01a20466-324b-70c3-a19f-8ebf00fea10b'

for (const [id, remoteAddress, read] of [
  [uuid, '10.1.2.3', uuid],
  [uuid, '192.0.2.1', undefined],
  [uuid, undefined, undefined],
  ['12345678', '10.1.2.3', '12345678'],
  ['1234567', '10.1.2.3', undefined],
  ['a'.repeat(128), '10.1.2.3', 'a'.repeat(128)],
  ['a'.repeat(129), '10.1.2.3', undefined],
  ['with a space', '10.1.2.3', undefined],
  ['"quoted"-id', '10.1.2.3', undefined],
] as const) {
  test(`X-Request-Id ${id.slice(0, 40)} from ${remoteAddress} is ${read === undefined ? 'not taken' : 'taken'}`, () => {
    assert.equal(readRequestId({ headers: { 'x-request-id': id }, socket: { remoteAddress } }, isTrusted), read)
  })
}

test('answers and logs a trusted proxy’s id, and otherwise generates one', async () => {
  const lines: string[] = []
  const start = (trustProxy: string[]) =>
    createHttp({
      baseUrl: 'http://parley.test',
      trustProxy,
      clock: systemClock,
      random: secureRandom,
      log: createLog({ level: 'info', destination: { write: (line) => void lines.push(line) } }),
    })
  const headers = { 'x-request-id': 'of-the-proxy' }
  const behind = start(['127.0.0.1'])
  assert.equal((await behind.inject({ url: '/', headers })).headers['x-request-id'], 'of-the-proxy')
  assert.ok(lines.some((line) => JSON.parse(line).requestId === 'of-the-proxy'))
  const alone = start([])
  assert.match(String((await alone.inject({ url: '/', headers })).headers['x-request-id']), /^[\da-f-]{36}$/)
  await Promise.all([behind.close(), alone.close()])
})
