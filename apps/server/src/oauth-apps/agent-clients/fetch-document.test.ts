import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { guarded, inside, internet, serve, serveBytes, serveSecurely } from '../../../test/loopback-internet.ts'
import type { HostChecker } from '../page-checks.ts'
import { createFetchDocument, documentFetchLimits } from './fetch-document.ts'

/*
 * Hostile servers and documents: each is refused with a sentence, and costs one connection and 5 KiB at most.
 */

const checkHost: HostChecker = async (host) =>
  host === 'denied.test' ? { kind: 'denied', message: 'It is on the list of denied hosts.' } : undefined

/** A server at app.test with a certificate, and the URL of its document. */
async function serveDocument(answer: RequestListener, limits = documentFetchLimits) {
  let requests = 0
  const { port, certificateAuthorities } = await serveSecurely((request, response) => {
    requests++
    answer(request, response)
  }, 'app.test')
  const url = `https://app.test:${port}/client.json`
  const fetchDocument = createFetchDocument({ fetch: guarded({ certificateAuthorities, limits }), checkHost })
  return { url, fetchDocument, requestCount: () => requests }
}

const json = { 'content-type': 'application/json' }
const documentOf = (url: string, changes: object = {}) =>
  JSON.stringify({ client_id: url, client_name: 'Assistant', redirect_uris: ['http://127.0.0.1/callback'], ...changes })

/** Serve what `write` makes of the document's own URL. */
async function fetchFrom(write: (url: string) => string | Buffer, headers: Record<string, string> = json) {
  let written: string | Buffer = ''
  const served = await serveDocument((_request, response) => response.writeHead(200, headers).end(written))
  written = write(served.url)
  return { ...served, fetched: await served.fetchDocument(served.url) }
}

const causeOf = (fetched: Awaited<ReturnType<ReturnType<typeof createFetchDocument>>>) =>
  fetched.kind === 'refused' ? fetched.cause : fetched.kind

test('fetches a document, with its entity tag and lifetime', async () => {
  const headers = { 'content-type': 'Application/JSON; charset=utf-8', etag: '"1"', 'cache-control': 'max-age=600' }
  const { url, fetched } = await fetchFrom((own) => documentOf(own), headers)
  assert.deepEqual(fetched, {
    kind: 'fetched',
    metadata: {
      name: 'Assistant',
      homepageUrl: '',
      policyUrl: '',
      logoUrl: '',
      redirectUris: ['http://127.0.0.1/callback'],
      scopes: ['user:read', 'meeting:create', 'meeting:delete', 'meeting:read', 'meeting:update', 'meeting:join'],
    },
    body: documentOf(url),
    etag: '"1"',
    lifetimeMs: 600_000,
  })
})

test('asks only whether a stored copy is still the newest', async () => {
  const sent: (string | undefined)[] = []
  const { url, fetchDocument } = await serveDocument((request, response) => {
    sent.push(request.headers['if-none-match'])
    const isKnown = request.headers['if-none-match'] === 'W/"7"'
    response.writeHead(isKnown ? 304 : 200, { ...json, 'cache-control': 'max-age=900' })
    response.end(isKnown ? undefined : documentOf(url))
  })
  assert.deepEqual(await fetchDocument(url, 'W/"7"'), { kind: 'unchanged', lifetimeMs: 900_000 })
  assert.equal((await fetchDocument(url, '"6"')).kind, 'fetched')
  assert.equal((await fetchDocument(url)).kind, 'fetched')
  assert.deepEqual(sent, ['W/"7"', '"6"', undefined])
})

test('an entity tag with other characters is not kept', async () => {
  for (const etag of ['1', '"a b"', `"${'a'.repeat(200)}"`]) {
    const { fetched } = await fetchFrom((own) => documentOf(own), { ...json, etag })
    assert.equal(fetched.kind === 'fetched' && fetched.etag, null, etag)
  }
})

test('a document may be of a more specific type of JSON', async () => {
  const { fetched } = await fetchFrom((own) => documentOf(own), { 'content-type': 'application/cimd+json' })
  assert.equal(fetched.kind, 'fetched')
})

for (const [name, write, cause] of [
  ['no JSON', () => '<!doctype html><title>Assistant</title>', 'The document is not valid JSON.'],
  ['an empty body', () => '', 'The document is not valid JSON.'],
  ['a list', (url: string) => `[${documentOf(url)}]`, 'The document is not a JSON object.'],
  [
    'a repeated name',
    (url: string) => documentOf(url).replace('{', '{"client_id":"https://other.test/",'),
    'The document has the name "client_id" more than once.',
  ],
  ['bytes that are not UTF-8', () => Buffer.from([0x7b, 0xff, 0x7d]), 'The document is not valid UTF-8.'],
  [
    'the client_id of another document',
    () => documentOf('https://claude.ai/oauth/client.json'),
    'client_id must be the address of the document.',
  ],
  [
    'a name that turns the direction of writing',
    (url: string) => documentOf(url, { client_name: '\u2067Assistant\u2069' }),
    'client_name must not hold characters that are not seen, or that turn the direction of writing.',
  ],
  [
    'redirect URIs with code',
    (url: string) => documentOf(url, { redirect_uris: ['javascript:alert(1)', 'data:text/html,hello'] }),
    'redirect_uris must hold at least one address that begins with https:// or leads to localhost.',
  ],
  [
    'a secret',
    (url: string) => documentOf(url, { client_secret: 'hush' }),
    'client_secret must not be part of a public document.',
  ],
  [
    'more redirect URIs than fit',
    (url: string) => documentOf(url, { redirect_uris: Array.from({ length: 200 }, (_, i) => `https://a.test/${i}`) }),
    'redirect_uris must hold at most 10 addresses.',
  ],
] as const) {
  test(`refuses a document with ${name}`, async () => {
    const { fetched, requestCount } = await fetchFrom(write)
    assert.equal(causeOf(fetched), cause)
    assert.equal(requestCount(), 1)
  })
}

test('accepts 5 KiB, and reads no more of a larger document', async () => {
  const padded = (url: string, bytes: number) => {
    const empty = documentOf(url, { padding: '' })
    return documentOf(url, { padding: 'a'.repeat(bytes - empty.length) })
  }
  const fitting = await fetchFrom((url) => padded(url, 5 * 1024))
  assert.equal(fitting.fetched.kind, 'fetched')
  const larger = await fetchFrom((url) => padded(url, 5 * 1024 + 1))
  assert.equal(causeOf(larger.fetched), 'The server of the document answers with more than 5 KiB.')

  const chunk = Buffer.alloc(64 * 1024, ' ')
  let sentBytes = 0
  const { url, fetchDocument } = await serveDocument((_request, response) => {
    response.writeHead(200, json)
    const send = () => {
      if (sentBytes >= 1024 * 1024 || response.destroyed) return
      sentBytes += chunk.length
      response.write(chunk, send)
    }
    send()
  })
  assert.equal(causeOf(await fetchDocument(url)), 'The server of the document answers with more than 5 KiB.')
  assert.ok(sentBytes < 1024 * 1024, `${sentBytes} bytes were taken`)
})

test('follows no redirect, not even to the same server', async () => {
  for (const location of ['/other.json', 'https://other.test/client.json', 'http://127.0.0.1/']) {
    for (const status of [301, 302, 303, 307, 308]) {
      const { url, fetchDocument, requestCount } = await serveDocument((_request, response) =>
        response.writeHead(status, { location }).end(),
      )
      assert.match(causeOf(await fetchDocument(url)), /^The server of the document redirects /)
      assert.equal(requestCount(), 1)
    }
  }
})

for (const status of [201, 204, 304, 400, 401, 404, 410, 500]) {
  test(`refuses the status ${status}`, async () => {
    const { url, fetchDocument } = await serveDocument((_request, response) =>
      response.writeHead(status, json).end(status === 204 || status === 304 ? undefined : documentOf(url)),
    )
    assert.equal(causeOf(await fetchDocument(url)), `The server of the document answers ${status}.`)
  })
}

for (const contentType of ['text/html', 'text/json', 'application/javascript', 'application/jsonp', 'json', '']) {
  test(`refuses the content type "${contentType}"`, async () => {
    const { fetched } = await fetchFrom(documentOf, contentType === '' ? {} : { 'content-type': contentType })
    assert.equal(causeOf(fetched), 'The document is not served as application/json.')
  })
}

test('waits no longer than its limit for a server that answers byte by byte', async () => {
  // Shorter than in production, so that the test need not wait.
  const limits = { ...documentFetchLimits, timeMs: 300 }
  const { url, fetchDocument, requestCount } = await serveDocument((_request, response) => {
    response.writeHead(200, json)
    const timer = setInterval(() => response.write(' '), 10)
    response.on('close', () => clearInterval(timer))
  }, limits)
  assert.equal(causeOf(await fetchDocument(url)), 'The server of the document does not answer within 0.3 seconds.')
  assert.equal(requestCount(), 1)
})

test('reaches no private address by any name, and no denied host', async () => {
  const { port, seen } = await serve((_request, response) => response.end(), '127.0.0.1')
  const fetchDocument = createFetchDocument({ fetch: guarded({ limits: documentFetchLimits }), checkHost })
  for (const host of ['inside.test', 'mixed.test', 'mixed-six.test', 'link-local.test']) {
    const cause = causeOf(await fetchDocument(`https://${host}:${port}/client.json`))
    assert.equal(cause, 'The server of the document leads to a private address.')
  }
  const unknown = causeOf(await fetchDocument('https://none.test/client.json'))
  assert.equal(unknown, 'The server of the document cannot be found: its name does not exist.')
  const denied = causeOf(await fetchDocument(`https://denied.test:${port}/client.json`))
  assert.equal(denied, 'The server of the document is on a denied host.')
  assert.equal(seen.length, 0)
})

test('checks the addresses of a name anew each time: one that leads inside later is refused then', async () => {
  const { port, certificateAuthorities } = await serveSecurely(
    (_request, response) => response.writeHead(200, json).end(documentOf(url)),
    'app.test',
  )
  const url = `https://app.test:${port}/client.json`
  const answers = [[internet], [inside], ['169.254.169.254']]
  const fetch = guarded({
    certificateAuthorities,
    limits: documentFetchLimits,
    resolveName: async () => answers.shift() ?? [],
  })
  const fetchDocument = createFetchDocument({ fetch, checkHost })
  assert.equal((await fetchDocument(url)).kind, 'fetched')
  for (let again = 0; again < 2; again++) {
    assert.equal(causeOf(await fetchDocument(url, '"1"')), 'The server of the document leads to a private address.')
  }
})

test('reads no compressed document, which could expand to any size', async () => {
  const { fetched } = await fetchFrom((url) => gzipSync(documentOf(url)), { ...json, 'content-encoding': 'gzip' })
  assert.equal(causeOf(fetched), 'The server of the document answers in a compressed form that was not asked for.')
})

test('requires TLS with a certificate for the name', async () => {
  const { port } = await serveSecurely((_request, response) => response.end(), 'other.test')
  const fetchDocument = createFetchDocument({ fetch: guarded({ limits: documentFetchLimits }), checkHost })
  assert.match(causeOf(await fetchDocument(`https://app.test:${port}/client.json`)), /certificate/)
  const raw = await serveBytes((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n{}'))
  assert.match(causeOf(await fetchDocument(`https://app.test:${raw}/client.json`)), /TLS/)
})
