import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { problemSchema, problems } from '@parley/contract'
import fc from 'fast-check'
import Schema from 'typebox/schema'
import { sendRequest, signUp } from '../../apps/server/test/people.ts'
import { expectOk } from '../../apps/server/test/replies.ts'
import { errorsIn, startApp } from '../../apps/server/test/start-app.ts'
import { randomCases } from '../helpers/random-runs.ts'

const usual = randomCases(1_000)
const seed = Number(process.env.FUZZ_SEED ?? usual.seed)
const mutations = Number(process.env.FUZZ_WIRE ?? usual.cases)
/**
 * A client that has finished sending gets a reply or a closed connection well within the service's limit for slow
 * senders.
 */
const maxAnswerMs = 10_000
const isProblem = Schema.Compile(problemSchema)

const crlf = (...lines: string[]) => Buffer.from(lines.join('\r\n'), 'latin1')
const get = (...headers: string[]) => crlf('GET /version HTTP/1.1', 'Host: a', ...headers, '', '')
const post = (headers: readonly string[], body: string) =>
  crlf('POST /api/auth/sign-in HTTP/1.1', 'Host: a', ...headers, '', body)
const json = 'Content-Type: application/json'

/** Malformed HTTP, and other protocols. */
const malformed: Record<string, Buffer> = {
  nothing: Buffer.alloc(0),
  'an empty line': crlf('', ''),
  'text that is not HTTP': crlf('hello', '', ''),
  'a TLS handshake': Buffer.from([0x16, 0x03, 0x01, 0x02, 0x00, 0x01, 0x00, 0x01, 0xfc, 0x03, 0x03]),
  'HTTP/2 without negotiation': crlf('PRI * HTTP/2.0', '', 'SM', '', ''),
  'an older version': crlf('GET /version HTTP/1.0', '', ''),
  'no version': crlf('GET /version', '', ''),
  'an unknown version': crlf('GET /version HTTP/9.9', 'Host: a', '', ''),
  'no Host': crlf('GET /version HTTP/1.1', '', ''),
  'two Hosts': get('Host: b'),
  'an unknown method': crlf('FETCH /version HTTP/1.1', 'Host: a', '', ''),
  'a method in lower case': crlf('get /version HTTP/1.1', 'Host: a', '', ''),
  CONNECT: crlf('CONNECT evil.example:443 HTTP/1.1', 'Host: a', '', ''),
  'an absolute foreign address': crlf('GET http://evil.example/version HTTP/1.1', 'Host: evil.example', '', ''),
  'the asterisk': crlf('OPTIONS * HTTP/1.1', 'Host: a', '', ''),
  'an address with a space': crlf('GET /ver sion HTTP/1.1', 'Host: a', '', ''),
  'an address with NUL': crlf('GET /ver\0sion HTTP/1.1', 'Host: a', '', ''),
  'an address that is not ASCII': crlf('GET /\xff\xfe HTTP/1.1', 'Host: a', '', ''),
  'half an escape': crlf('GET /problems/% HTTP/1.1', 'Host: a', '', ''),
  'an escape that is not valid UTF-8': crlf('GET /problems/%ff HTTP/1.1', 'Host: a', '', ''),
  'an address of 5,000 characters': crlf(`GET /${'a'.repeat(5_000)} HTTP/1.1`, 'Host: a', '', ''),
  'an address of 100,000 characters': crlf(`GET /${'a'.repeat(100_000)} HTTP/1.1`, 'Host: a', '', ''),
  'headers of 20,000 bytes': get(`X-A: ${'a'.repeat(20_000)}`),
  'three thousand headers': get(...Array.from({ length: 3_000 }, (_, at) => `X${at}: a`)),
  'a header without a colon': get('Nonsense'),
  'a header with a space before the colon': get('X-A : b'),
  'a header that continues on the next line': get('X-A: b', ' c'),
  'a header with NUL': get('X-A: \0'),
  'a header with a bare carriage return': get('X-A: b\rX-B: c'),
  'lines that end in \\n alone': Buffer.from('GET /version HTTP/1.1\nHost: a\n\n'),
  'headers that never end': crlf('GET /version HTTP/1.1', 'Host: a', 'X-A: b'),
  'a length that is not a number': post([json, 'Content-Length: many'], '{}'),
  'a length below zero': post([json, 'Content-Length: -1'], '{}'),
  'two lengths': post([json, 'Content-Length: 2', 'Content-Length: 3'], '{}'),
  'a length and chunks': post([json, 'Content-Length: 2', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
  'a length beyond any number type': post([json, 'Content-Length: 99999999999999999999'], '{}'),
  'a length above our limit': post([json, 'Content-Length: 1048577'], '{}'),
  'a length longer than the body': post([json, 'Content-Length: 20'], '{}'),
  'a length shorter than the body': post([json, 'Content-Length: 2'], '{}{}'),
  'malformed chunks': post([json, 'Transfer-Encoding: chunked'], 'zz\r\n{}\r\n0\r\n\r\n'),
  'chunks that never end': post([json, 'Transfer-Encoding: chunked'], '2\r\n{}\r\n'),
  'a chunk size beyond any number type': post([json, 'Transfer-Encoding: chunked'], 'ffffffffffffffffff\r\n{}'),
  'chunks with a long extension': post(
    [json, 'Transfer-Encoding: chunked'],
    `2;${'a'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`,
  ),
  'an unsupported transfer encoding': post([json, 'Transfer-Encoding: gzip'], '{}'),
  'chunked twice': post([json, 'Transfer-Encoding: chunked, chunked'], '0\r\n\r\n'),
  'an unknown expectation': post([json, 'Content-Length: 2', 'Expect: 200-maybe'], '{}'),
  'no type': post(['Content-Length: 2'], '{}'),
  'two types': post([json, 'Content-Type: text/plain', 'Content-Length: 2'], '{}'),
  'two tokens': crlf('GET /api/my_profile HTTP/1.1', 'Host: a', 'Authorization: a', 'Authorization: b', '', ''),
  'an upgrade': get('Connection: Upgrade', 'Upgrade: websocket', 'Sec-WebSocket-Key: a'),
  'two pipelined requests': Buffer.concat([get(), get()]),
  'a request followed by nonsense': Buffer.concat([get(), crlf('nonsense', '', '')]),
  'sixty pipelined requests': Buffer.concat(Array.from({ length: 60 }, () => get())),
}

test('malformed HTTP gets a problem or a closed connection, and other clients are not affected', async (t) => {
  const app = await startApp({ environment: { RATE_LIMITS: 'off', LOG_LEVEL: 'warn' } })
  const alice = await signUp(app, 'Alice')
  const port = Number(new URL(app.base).port)

  for (const [what, bytes] of Object.entries(malformed)) {
    await t.test(`malformed HTTP: ${what}`, async () => assert.deepEqual(violationsOf(await exchange(port, bytes)), []))
  }

  await t.test(`${mutations} requests with a few bytes changed (FUZZ_SEED=${seed})`, async () => {
    const body = JSON.stringify({ topic: 'a', participants: [], description: '', isPinEnabled: true })
    const sound = crlf(
      'POST /api/meeting?sendUpdates=none HTTP/1.1',
      'Host: parley.test',
      'Accept: */*',
      'Idempotency-Key: 1',
      `Authorization: Bearer ${alice.token}`,
      json,
      `Content-Length: ${body.length}`,
      '',
      body,
    )
    const change = fc.record({ at: fc.nat(sound.length), cut: fc.nat(6), put: fc.uint8Array({ maxLength: 6 }) })
    const changed = fc
      .array(change, { minLength: 1, maxLength: 3 })
      .map((changes) =>
        changes.reduce<Buffer>(
          (bytes, { at, cut, put }) => Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at + cut)]),
          sound,
        ),
      )
    const left = fc.sample(changed, { seed, numRuns: mutations }).values()
    const found = new Map<string, string>()
    await Promise.all(
      Array.from({ length: 16 }, async () => {
        for (const bytes of left) {
          const violations = violationsOf(await exchange(port, bytes))
          for (const violation of violations)
            found.set(violation.slice(0, 40), `${violation}\n${bytes.toString('latin1')}`)
        }
      }),
    )
    assert.deepEqual([...found.values()], [])
  })

  assert.deepEqual(errorsIn(app.logged), [])
  await expectOk(sendRequest(app, 'GET', '/readyz'))
})

/** Send the bytes and half-close. @returns everything received until the connection was closed */
function exchange(port: number, bytes: Uint8Array): Promise<Buffer<ArrayBufferLike> | 'left open'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = []
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.end(bytes))
    socket.setTimeout(maxAnswerMs, () => {
      socket.destroy()
      resolve('left open')
    })
    socket.on('data', (chunk) => chunks.push(Buffer.from(chunk)))
    // A reset also closes the connection; keep what was received before it.
    socket.on('error', () => {})
    socket.on('close', () => resolve(Buffer.concat(chunks)))
  })
}

function violationsOf(received: Buffer | 'left open'): string[] {
  if (received === 'left open') return ['neither answered nor hung up']
  const violations: string[] = []
  let rest = received
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n')
    const [line = '', ...headers] = rest.subarray(0, end).toString('latin1').split('\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(line)?.[1])
    if (end < 0 || !(status >= 100)) return [...violations, `no answer: ${rest.toString('latin1').slice(0, 200)}`]
    const header = (name: string) =>
      headers
        .find((one) => one.toLowerCase().startsWith(`${name}:`))
        ?.slice(name.length + 1)
        .trim()
    const length = Number(header('content-length') ?? 0)
    const body = rest.subarray(end + 4, end + 4 + length).toString()
    rest = rest.subarray(end + 4 + length)
    if (status === 100) continue
    if (header('x-request-id') === undefined) violations.push(`${line} without X-Request-Id`)
    if (status >= 500) violations.push(`${line}: ${body}`)
    if (status >= 400) violations.push(...violationsOfProblem(status, header('content-type') ?? '', body))
  }
  return violations
}

function violationsOfProblem(status: number, contentType: string, text: string): string[] {
  if (!contentType.startsWith('application/problem+json')) return [`${status} as ${contentType}: ${text}`]
  const body: unknown = JSON.parse(text)
  if (!isProblem.Check(body)) return [`no problem: ${text}`]
  const known = Object.entries(problems).find(([code]) => code === body.code)?.[1]
  return known?.status === status && body.status === status ? [] : [`${body.code} with status ${status}`]
}
