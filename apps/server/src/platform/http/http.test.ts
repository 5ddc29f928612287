import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { signUp, standUp } from '../../../test/people.ts'
import { startApp } from '../../../test/start-app.ts'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { readTraceparent, traceIdOf } from '../operation.ts'
import { secureRandom } from '../random.ts'
import { createHttp } from './http.ts'

/** Raw requests, because clients do not send requests that must be refused. */
const app = await startApp({ emails: 'dropped' })
const alice = await signUp(app, 'Alice')

type Answer = { status: number; headers: Map<string, string>; body: string; whole: string }

/** Send parts, each after a reply to the one before, and read until the service closes. */
async function send(...parts: readonly string[]): Promise<Answer> {
  const socket = connect(Number(new URL(app.base).port), '127.0.0.1').setEncoding('latin1')
  let whole = ''
  socket.on('data', (text: string) => {
    whole += text
  })
  // The service may reset the connection once it has answered without reading the rest.
  socket.on('error', () => {})
  const closed = once(socket, 'close')
  for (const [index, part] of parts.entries()) {
    if (index > 0) await once(socket, 'data')
    socket.write(part, 'latin1')
  }
  await closed
  return read(whole)
}

function read(whole: string): Answer {
  const final = whole.replace(/^HTTP\/1\.1 100 Continue\r\n\r\n/, '')
  const [head = '', body = ''] = final.split('\r\n\r\n', 2)
  const [statusLine = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { status: Number(statusLine.split(' ')[1]), headers: new Map(headers), body, whole }
}

const head = (requestLine: string, ...headers: readonly string[]) =>
  [`${requestLine} HTTP/1.1`, 'Host: parley.test', 'Connection: close', ...headers, '\r\n'].join('\r\n')

const json = 'Content-Type: application/json'
const authorized = () => `Authorization: Bearer ${alice.token}`

/** Every refusal is a machine-readable problem, even where no handler was reached. */
function assertProblem(answer: Answer, status: number, code: string) {
  assert.equal(answer.status, status, answer.whole)
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/)
  const problem = JSON.parse(answer.body)
  assert.equal(problem.status, status)
  assert.equal(problem.code, code)
  assert.equal(problem.requestId, answer.headers.get('x-request-id'))
}

const malformed: Record<string, string> = {
  'no HTTP at all': 'hello\r\n\r\n',
  'a method that does not exist': head('BREW /healthz'),
  'a version that does not exist': 'GET /healthz HTTP/9.9\r\nHost: parley.test\r\n\r\n',
  'a header without a name': head('GET /healthz', ': nameless'),
  'a control character in a header': head('GET /healthz', 'X-Bell: \x07'),
  'two lengths': `${head('POST /api/auth/sign-in', json, 'Content-Length: 2', 'Content-Length: 3')}{}`,
  'a length and chunks': `${head('POST /api/auth/sign-in', json, 'Content-Length: 2', 'Transfer-Encoding: chunked')}{}`,
  'a length that is no number': `${head('POST /api/auth/sign-in', json, 'Content-Length: two')}{}`,
  'a chunk that is none': `${head('POST /api/auth/sign-in', json, 'Transfer-Encoding: chunked')}zz\r\n{}\r\n`,
}
for (const [what, bytes] of Object.entries(malformed)) {
  test(`${what} is malformed`, async () => assertProblem(await send(bytes), 400, 'malformed_request'))
}

test('refuses two Authorization headers, whichever of them is right', async () => {
  const twice = head('GET /api/my_profile', authorized(), 'Authorization: Bearer other')
  assertProblem(await send(twice), 400, 'malformed_request')
})

test('accepts headers of up to 16 KiB', async () => {
  assert.equal((await send(head('GET /healthz', `X-Long: ${'x'.repeat(15_000)}`))).status, 200)
  assertProblem(await send(head('GET /healthz', `X-Long: ${'x'.repeat(24 * 1024)}`)), 431, 'headers_too_large')
})

test('accepts a request-relevant header of up to 8,192 characters, and names a larger one', async () => {
  assert.equal((await send(head('GET /healthz', `Cookie: ${'x'.repeat(8_192)}`))).status, 200)
  const refused = await send(head('GET /healthz', `Cookie: ${'x'.repeat(8_193)}`))
  assertProblem(refused, 431, 'headers_too_large')
  assert.match(JSON.parse(refused.body).detail, /cookie must have at most 8192/)
  // Lines of one name are joined.
  const lines = Array.from({ length: 3 }, () => `If-None-Match: ${'x'.repeat(3_000)}`)
  assertProblem(await send(head('GET /healthz', ...lines)), 431, 'headers_too_large')
})

test('ignores a preference that is too long, wherever it is read', async () => {
  const spaces = ' '.repeat(22_000)
  for (const path of ['/reference', '/openapi.json', '/reference/start.js']) {
    const usual = await send(head(`GET ${path}`, 'Accept-Encoding: gzip'))
    assert.equal(usual.headers.get('content-encoding'), 'gzip')
    const flooded = await send(head(`GET ${path}`, `Accept-Encoding: gzip${spaces}, gzip`))
    assert.deepEqual([flooded.status, flooded.headers.get('content-encoding')], [200, undefined])
  }
  const german = await send(head('GET /answer/x/y/accepted', 'Accept-Language: de'))
  const flooded = await send(head('GET /answer/x/y/accepted', `Accept-Language: de${spaces}, de`))
  const unsaid = await send(head('GET /answer/x/y/accepted'))
  const withoutId = ({ body }: Answer) => body.replaceAll(/[0-9a-f-]{36}/g, '')
  assert.equal(withoutId(flooded), withoutId(unsaid))
  assert.notEqual(withoutId(german), withoutId(unsaid))
})

test('requires exactly one host, of valid characters', async () => {
  const hosted = (...lines: string[]) =>
    send(['GET /healthz HTTP/1.1', 'Connection: close', ...lines, '\r\n'].join('\r\n'))
  for (const host of ['parley.test', 'parley.test:3000', '[::1]:3000', '']) {
    assert.equal((await hosted(`Host: ${host}`)).status, 200, host)
  }
  for (const lines of [
    [],
    ['Host: parley.test', 'Host: parley.test'],
    ['Host: parley.test', 'hOST: other.test'],
    ['Host: parley.test, other.test/'],
    ['Host: parley test'],
    ['Host: user@parley.test'],
    ['Host: "parley.test"'],
  ]) {
    assertProblem(await hosted(...lines), 400, 'malformed_request')
  }
  const old = (...lines: string[]) => send(['GET /healthz HTTP/1.0', ...lines, '\r\n'].join('\r\n'))
  assert.equal((await old()).status, 200)
  assertProblem(await old('Host: a.test', 'Host: b.test'), 400, 'malformed_request')
})

test('accepts an address of up to 14,336 characters', async () => {
  const address = (length: number) => '/healthz?'.padEnd(length, 'x')
  assert.equal((await send(head(`GET ${address(14 * 1024)}`))).status, 200)
  assertProblem(await send(head(`GET ${address(14 * 1024 + 1)}`)), 414, 'address_too_long')
})

const mebibyte = 1024 * 1024
/** A meeting with an unknown field, which makes the body this long. */
function meetingOf(bytes: number): string {
  const empty = JSON.stringify(standUp({ padding: '' }))
  return empty.replace('"padding":""', `"padding":"${'x'.repeat(bytes - empty.length)}"`)
}

test('accepts a body of up to 1 MiB, with its length announced or in chunks', async () => {
  for (const [bytes, status] of [
    [mebibyte, 200],
    [mebibyte + 1, 413],
  ] as const) {
    const body = meetingOf(bytes)
    const sized = head('POST /api/meeting', authorized(), json, `Content-Length: ${bytes}`) + body
    const chunked =
      head('POST /api/meeting', authorized(), json, 'Transfer-Encoding: chunked') +
      `${bytes.toString(16)}\r\n${body}\r\n0\r\n\r\n`
    for (const request of [sized, chunked]) {
      const answer = await send(request)
      if (status === 413) assertProblem(answer, 413, 'body_too_large')
      else assert.equal(answer.status, status, answer.whole)
    }
  }
})

test('joins a body in small chunks', async () => {
  const chunks = [...JSON.stringify(standUp())].map((character) => `1\r\n${character}\r\n`).join('')
  const answer = await send(
    `${head('POST /api/meeting', authorized(), json, 'Transfer-Encoding: chunked')}${chunks}0\r\n\r\n`,
  )
  assert.equal(answer.status, 200, answer.whole)
})

test('sends 100-continue to a client that expects it', async () => {
  const body = JSON.stringify(standUp())
  const asking = head('POST /api/meeting', authorized(), json, `Content-Length: ${body.length}`, 'Expect: 100-continue')
  const answer = await send(asking, body)
  assert.match(answer.whole, /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 OK/)
})

test('refuses a body that is not JSON, by its type or by its content', async () => {
  const post = (body: string, ...headers: string[]) =>
    send(head('POST /api/meeting', authorized(), `Content-Length: ${body.length}`, ...headers) + body)
  for (const type of [
    'text/html',
    'text/plain',
    'application/x-www-form-urlencoded',
    'application/jsonp',
    'json',
    '',
  ]) {
    assertProblem(await post('{}', `Content-Type: ${type}`), 415, 'unsupported_media_type')
  }
  assertProblem(await post('{}'), 415, 'unsupported_media_type')
  for (const body of ['', '{', '{"a":1,}', "{'a':1}", '\x00']) {
    assertProblem(await post(body, json), 400, 'malformed_body')
  }
  assert.equal((await post(JSON.stringify(standUp()), 'Content-Type: application/json; charset=utf-8')).status, 200)
})

test('answers HEAD like GET without a body', async () => {
  const [get, asHead] = [await send(head('GET /healthz')), await send(head('HEAD /healthz'))]
  assert.equal(asHead.status, 200)
  assert.equal(asHead.body, '')
  assert.equal(asHead.headers.get('content-length'), get.headers.get('content-length'))
  assert.equal((await send(head('HEAD /nowhere'))).status, 404)
  const malformed = await send('HEAD / HTTP/1.1\r\nno header\r\n\r\n')
  assert.equal(malformed.status, 400)
  assert.equal(malformed.body, '')
})

test('names the supported methods for an unsupported one', async () => {
  for (const method of ['OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    const answer = await send(head(`${method} /healthz`))
    assertProblem(answer, 405, 'method_not_allowed')
    assert.equal(answer.headers.get('allow'), 'GET, HEAD')
  }
  const answer = await send(head('HEAD /api/meeting'))
  assert.equal(answer.status, 405)
  assert.equal(answer.headers.get('allow'), 'POST')
  assertProblem(await send(head('PROPFIND /healthz')), 404, 'not_found')
})

test('answers several requests on one connection in their order', async () => {
  const keep = (path: string) => `GET ${path} HTTP/1.1\r\nHost: parley.test\r\n\r\n`
  const { whole } = await send(keep('/healthz') + keep('/version') + head('GET /nowhere'))
  assert.deepEqual(whole.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 404'])
})

test('closes the connection of a slow sender, with a reason', async (t) => {
  const log = createLog({ level: 'silent' })
  const options = { baseUrl: 'http://parley.test', trustProxy: [], clock: systemClock, random: secureRandom, log }
  const http = createHttp(options)
  t.after(() => http.close())
  await http.listen({ port: 0, host: '127.0.0.1' })
  const { server } = http
  assert.deepEqual([server.headersTimeout, server.requestTimeout, server.keepAliveTimeout], [15_000, 30_000, 72_000])

  const { port } = server.address() as AddressInfo
  const accepted = once(server, 'connection')
  const client = connect(port, '127.0.0.1').setEncoding('latin1')
  client.write('POST /slow HTTP/1.1\r\nHost: par')
  const [socket]: Socket[] = await accepted
  // As Node reports a timeout.
  server.emit('clientError', Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket)
  const said = (await client.toArray()).join('')
  assertProblem(read(said), 408, 'request_timeout')
})

test('answers requests that reach no handler with the same headers as all others', async () => {
  const [usual, raw] = [await send(head('GET /nowhere')), await send('GET / HTTP/1.1\r\nno header\r\n\r\n')]
  assertProblem(raw, 400, 'malformed_request')
  const names = ['cache-control', 'content-security-policy', 'referrer-policy', 'x-content-type-options']
  for (const name of [...names, 'x-frame-options', 'cross-origin-resource-policy']) {
    assert.ok(raw.headers.get(name), name)
    assert.equal(raw.headers.get(name), usual.headers.get(name))
  }
})

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const traceparent = `00-${trace}-00f067aa0ba902b7-01`

for (const [sent, read] of [
  [traceparent, trace],
  [`01-${trace}-00f067aa0ba902b7-00`, trace],
  [`ff-${trace}-00f067aa0ba902b7-01`, undefined],
  [`00-${'0'.repeat(32)}-00f067aa0ba902b7-01`, undefined],
  [`00-${trace}-${'0'.repeat(16)}-01`, undefined],
  [`00-${trace.toUpperCase()}-00f067aa0ba902b7-01`, undefined],
  [`${traceparent}"}`, undefined],
  ['', undefined],
] as const) {
  test(`traceparent ${sent} is ${read === undefined ? 'not taken' : 'taken'}`, () => {
    const taken = readTraceparent(sent)
    assert.equal(taken && traceIdOf(taken), read)
  })
}

function listen() {
  const lines: Record<string, unknown>[] = []
  const log = createLog({ level: 'info', destination: { write: (line) => void lines.push(JSON.parse(line)) } })
  const http = createHttp({
    baseUrl: 'http://parley.test',
    trustProxy: [],
    clock: systemClock,
    random: secureRandom,
    log,
  })
  const namesIn = (message: string) =>
    lines.filter(({ msg }) => msg === message).map(({ requestId, traceId }) => ({ requestId, traceId }))
  return { http, log, namesIn }
}

test('the log entry of a reply names the trace of its request', async () => {
  const { http, namesIn } = listen()
  await http.inject({ url: '/', headers: { traceparent } })
  await http.inject('/')
  assert.deepEqual(
    namesIn('answered').map(({ traceId }) => traceId),
    [trace, undefined],
  )
  await http.close()
})

test('every log entry of a request names it, before and after its body and its waits, until it has ended', async () => {
  const { http, log, namesIn } = listen()
  const { promise: later, resolve } = Promise.withResolvers<void>()
  http.post('/notes', async () => {
    log.info('at once')
    await sleep(1)
    log.child({ part: 'notes' }).warn('after a wait')
    setTimeout(() => {
      log.info('after the end')
      resolve()
    }, 200)
    throw new Error('of no kind that is known')
  })
  // Over a real connection, on which a body arrives in separate events.
  const base = await http.listen({ port: 0, host: '127.0.0.1' })
  const body = JSON.stringify({ text: 'x'.repeat(200_000) })
  const send = (headers: Record<string, string>) =>
    fetch(`${base}/notes`, { method: 'POST', body, headers: { 'content-type': 'application/json', ...headers } })
  const [first, second] = await Promise.all([send({ traceparent }), send({})])
  const names = [
    { requestId: first.headers.get('x-request-id'), traceId: trace },
    { requestId: second.headers.get('x-request-id'), traceId: undefined },
  ]
  const byTrace = (some: object[]) =>
    some.toSorted((a, b) => ('traceId' in a && a.traceId ? -1 : 1) - ('traceId' in b && b.traceId ? -1 : 1))
  for (const message of ['at once', 'after a wait', 'request failed', 'answered']) {
    assert.deepEqual(byTrace(namesIn(message)), names, message)
  }
  await later
  assert.deepEqual(namesIn('after the end')[0], { requestId: undefined, traceId: undefined })
  log.info('of no request')
  assert.deepEqual(namesIn('of no request'), [{ requestId: undefined, traceId: undefined }])
  await http.close()
})

test('a client that does not speak HTTP gets a response, and cannot keep the connection half-open', async () => {
  const log = createLog({ level: 'silent' })
  const outside = { baseUrl: 'http://parley.test', trustProxy: [] }
  const http = createHttp({ ...outside, clock: systemClock, random: secureRandom, log })
  await http.listen({ port: 0, host: '127.0.0.1' })
  after(() => http.close())
  const { port } = http.server.address() as AddressInfo
  const connections = () =>
    new Promise<number>((report) => http.server.getConnections((_error, amount) => report(amount)))
  for (const more of ['', 'xyz']) {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
    socket.on('error', () => {})
    socket.write('NONSENSE\r\n\r\n')
    const [answer] = await once(socket, 'data')
    assert.match(String(answer), /^HTTP\/1\.1 400 /)
    if (more !== '') socket.write(more)
    while ((await connections()) > 0) await sleep(10)
    socket.destroy()
  }
})
