import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { createIsInNetworks } from '../network-list.ts'
import { secureRandom } from '../random.ts'
import { createHttp } from './http.ts'
import { enforceHeaderLimits, parsedHeaders, readRequestId } from './request-headers.ts'

test('treats a preference that is too long as absent', () => {
  for (const name of ['accept', 'accept-encoding', 'accept-language', 'range']) {
    const [longest, longer] = [{ [name]: 'x'.repeat(1_000) }, { [name]: 'x'.repeat(1_001) }]
    assert.equal(enforceHeaderLimits(longest), undefined)
    assert.equal(longest[name]?.length, 1_000)
    assert.equal(enforceHeaderLimits(longer), undefined)
    assert.deepEqual(longer, {})
  }
})

test('refuses a request-relevant header that is too long', () => {
  for (const [name, maxLength] of [
    ['authorization', 8_192],
    ['cookie', 8_192],
    ['if-match', 8_192],
    ['if-none-match', 8_192],
    ['x-forwarded-for', 8_192],
    ['content-type', 1_000],
    ['last-event-id', 1_000],
  ] as const) {
    assert.equal(enforceHeaderLimits({ [name]: 'x'.repeat(maxLength) }), undefined)
    assert.deepEqual(enforceHeaderLimits({ [name]: 'x'.repeat(maxLength + 1) }), { name, maxLength })
  }
})

/** Checked for presence, compared, truncated or passed on, never parsed. */
const unparsed: Record<string, string> = {
  origin: 'compared',
  host: 'matched against one class of characters',
  'sec-fetch-site': 'compared',
  'idempotency-key': 'its length is checked first (access/idempotency.ts)',
  'user-agent': 'cut before it is kept (access/session-store.ts)',
  upgrade: 'compared',
  'access-control-request-method': 'compared',
  'sec-websocket-key': 'passed on to the media engine, whose library compares its length first',
  'sec-websocket-version': 'passed on to the media engine, which compares it',
}

/** Headers of replies and of errors, never of a request. */
const ofAnswers = ['retry-after', 'content-encoding', 'location', 'etag']

test('each request header that is read has a limit, or is listed as not parsed', () => {
  const source = fileURLToPath(new URL('../../', import.meta.url))
  const files = globSync('**/*.ts', {
    cwd: source,
    exclude: ['**/*.test.ts', '**/*.story.ts', '**/*-for-tests.ts', 'media/**'],
  })
  const read = new Set<string>()
  for (const file of files) {
    const text = readFileSync(source + file, 'utf8')
    for (const [, name, quoted] of text.matchAll(/(?<![-\w])headers(?:\??\.(\w+)\b(?!\()|\['([\w-]+)'\])/g)) {
      read.add(name ?? quoted ?? '')
    }
    for (const [, names = ''] of text.matchAll(/const \{([^}]*)\} = (?:\w+\.)?headers\b/g)) {
      for (const pair of names.split(',')) read.add(pair.split(':', 1)[0]?.trim().replaceAll("'", '') ?? '')
    }
  }
  const known = new Set([...parsedHeaders, ...Object.keys(unparsed), ...ofAnswers])
  assert.deepEqual([...read].filter((name) => !known.has(name)).toSorted(), [])
  // The search itself finds every way of writing them.
  for (const name of [
    'accept-language',
    'authorization',
    'upgrade',
    'sec-fetch-site',
    'access-control-request-headers',
  ]) {
    assert.ok(read.has(name), name)
  }
})

const isTrusted = createIsInNetworks(['10.0.0.0/8'])
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
