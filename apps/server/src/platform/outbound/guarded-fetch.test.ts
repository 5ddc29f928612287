import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { after, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { makeCertificate } from '../../../test/certificate.ts'
import type { FetchRefusal } from './fetch-refused.ts'
import { FetchRefused } from './fetch-refused.ts'
import { createGuardedFetch, fetchLimits, type GuardedFetchOptions } from './guarded-fetch.ts'
import { isPublicAddress } from './public-address.ts'

/** In these tests one loopback address stands for the internet; all others are forbidden as usual. */
const internet = '127.0.0.2'
const inside = '127.0.0.1'
const names: Record<string, readonly string[]> = {
  'app.test': [internet],
  'other.test': [internet],
  'inside.test': [inside],
  'mixed.test': [internet, '10.0.0.1'],
  'mixed-six.test': [internet, '::ffff:127.0.0.2'],
  'link-local.test': ['169.254.169.254'],
  'none.test': [],
}

const guarded = (options: Partial<GuardedFetchOptions> = {}) =>
  createGuardedFetch({
    baseUrl: 'https://meet.example.org',
    resolveName: async (name) => names[name] ?? [],
    isAllowedAddress: (address) => address === internet || isPublicAddress(address),
    isAllowedPort: () => true,
    ...options,
  })

const refused = (code: FetchRefusal, message?: RegExp) => (error: unknown) => {
  assert.ok(error instanceof FetchRefused, String(error))
  assert.equal(error.code, code)
  if (message !== undefined) assert.match(error.message, message)
  return true
}

async function listen(server: Server, host: string): Promise<number> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    socket.on('error', () => undefined)
    sockets.add(socket)
  })
  server.listen(0, host)
  await once(server, 'listening')
  after(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return (server.address() as AddressInfo).port
}

/** A server on the address that stands for the internet, with the requests that reached it. */
async function serve(answer: RequestListener, host = internet): Promise<{ port: number; seen: IncomingMessage[] }> {
  const seen: IncomingMessage[] = []
  const server = createServer((request, response) => {
    seen.push(request)
    answer(request, response)
  })
  return { port: await listen(server, host), seen }
}

/** A server that sends raw bytes instead of HTTP. */
const serveBytes = (answer: (socket: Socket) => void) =>
  listen(
    createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.once('data', () => answer(socket))
    }),
    internet,
  )

test('fetches a page, with a User-Agent that names the service', async () => {
  const { port, seen } = await serve((_request, response) => {
    response.setHeader('set-cookie', 'a=b')
    response.end('hello')
  })
  const address = `http://app.test:${port}/a/b?c=d%20e`
  const { status, bytes, finalUrl } = await guarded()(address, { headers: { accept: 'image/*', 'User-Agent': 'x' } })
  assert.deepEqual([status, bytes.toString(), finalUrl], [200, 'hello', address])
  assert.equal(seen[0]?.url, '/a/b?c=d%20e')
  assert.deepEqual(seen[0]?.headers, {
    accept: 'image/*',
    'accept-encoding': 'identity',
    connection: 'close',
    host: `app.test:${port}`,
    'user-agent': 'Parley (+https://meet.example.org)',
  })
})

test('returns a reply without success as a reply', async () => {
  const { port } = await serve((_request, response) => response.writeHead(404).end('no'))
  assert.equal((await guarded()(`http://app.test:${port}/`)).status, 404)
})

test('never reuses a connection, nor keeps a cookie', async () => {
  const { port, seen } = await serve((_request, response) => {
    response.setHeader('set-cookie', 'a=b')
    response.setHeader('connection', 'keep-alive')
    response.end()
  })
  const fetch = guarded()
  for (let time = 0; time < 2; time += 1) await fetch(`http://app.test:${port}/`)
  assert.notEqual(seen[0]?.socket, seen[1]?.socket)
  assert.equal(seen[1]?.headers.cookie, undefined)
})

const badAddresses: [string, FetchRefusal][] = [
  ['', 'not_an_address'],
  ['//app.test/', 'not_an_address'],
  ['http://', 'not_an_address'],
  ['http://[::1', 'not_an_address'],
  ['ftp://app.test/', 'not_http'],
  ['file:///etc/passwd', 'not_http'],
  ['data:text/plain,x', 'not_http'],
  ['javascript:alert(1)', 'not_http'],
  ['gopher://app.test:70/', 'not_http'],
  ['http://user@app.test/', 'userinfo'],
  ['http://user:password@app.test/', 'userinfo'],
  ['http://:password@app.test/', 'userinfo'],
  ['http://none.test/', 'no_such_name'],
  ['http://inside.test/', 'private_address'],
  ['http://mixed.test/', 'private_address'],
  ['http://mixed-six.test/', 'private_address'],
  ['http://link-local.test/', 'private_address'],
  ['http://127.0.0.1/', 'private_address'],
  ['http://127.1/', 'private_address'],
  ['http://0x7f000001/', 'private_address'],
  ['http://2130706433/', 'private_address'],
  ['http://0177.0.0.1/', 'private_address'],
  ['http://0/', 'private_address'],
  ['http://169.254.169.254/latest/meta-data/', 'private_address'],
  ['http://[::1]/', 'private_address'],
  ['http://[::]/', 'private_address'],
  ['http://[::ffff:127.0.0.1]/', 'private_address'],
  ['http://[::ffff:7f00:2]/', 'private_address'],
  ['http://[64:ff9b::7f00:1]/', 'private_address'],
  ['http://[fd00:ec2::254]/', 'private_address'],
  ['http://①②⑦.0.0.①/', 'private_address'],
]
for (const [address, code] of badAddresses) {
  test(`sends nothing to ${address || 'an empty address'}: ${code}`, async () => {
    await assert.rejects(guarded()(address), refused(code))
  })
}

test('refuses loopback and ports of other services by default', async () => {
  const fetch = createGuardedFetch({ baseUrl: 'https://meet.example.org', resolveName: async () => [internet] })
  await assert.rejects(fetch('http://app.test/'), refused('private_address'))
  await assert.rejects(fetch('https://app.test/'), refused('private_address'))
  for (const port of [0, 22, 25, 5432, 6379, 8080, 8443]) {
    await assert.rejects(fetch(`http://app.test:${port}/`), refused('port'), String(port))
  }
})

test('resolves a name once, and connects to the validated address (DNS rebinding)', async () => {
  const outside = await serve((_request, response) => response.end('outside'))
  const server = createServer((_request, response) => response.end('inside'))
  server.listen(outside.port, inside)
  await once(server, 'listening')
  after(() => server.close())

  const answers = [[internet], [inside]]
  let asked = 0
  const fetch = guarded({ resolveName: async () => answers[asked++] ?? [] })
  assert.equal((await fetch(`http://rebind.test:${outside.port}/`)).bytes.toString(), 'outside')
  assert.equal(asked, 1)
  await assert.rejects(fetch(`http://rebind.test:${outside.port}/`), refused('private_address'))
})

test('resolves and validates again for a redirect to the same name', async () => {
  const { port, seen } = await serve((_request, response) => response.writeHead(302, { location: '/next' }).end())
  const answers = [[internet], [inside]]
  const fetch = guarded({ resolveName: async () => answers.shift() ?? [] })
  await assert.rejects(fetch(`http://rebind.test:${port}/`), refused('private_address'))
  assert.equal(seen.length, 1)
})

test('tries the next address when the first accepts no connection', async () => {
  const { port } = await serve((_request, response) => response.end('here'))
  const fetch = guarded({
    resolveName: async () => ['127.0.0.3', internet],
    isAllowedAddress: (address) => address === internet || address === '127.0.0.3',
  })
  assert.equal((await fetch(`http://app.test:${port}/`)).bytes.toString(), 'here')
})

for (const [location, code] of [
  ['http://inside.test/', 'private_address'],
  ['http://127.0.0.1/', 'private_address'],
  ['//169.254.169.254/', 'private_address'],
  ['http://[::1]/', 'private_address'],
  ['http://user:password@app.test/', 'userinfo'],
  ['file:///etc/passwd', 'not_http'],
  ['http://none.test/', 'no_such_name'],
  ['http://[', 'not_an_address'],
] as [string, FetchRefusal][]) {
  test(`does not follow a redirect to ${location}: ${code}`, async () => {
    const { port, seen } = await serve((_request, response) => response.writeHead(302, { location }).end())
    await assert.rejects(guarded()(`http://app.test:${port}/`), refused(code))
    assert.equal(seen.length, 1)
  })
}

test('follows three redirects, and not a fourth', async () => {
  const { port, seen } = await serve((request, response) => {
    const left = Number(request.url?.slice(1))
    if (left === 0) response.end('there')
    else response.writeHead([301, 303, 307, 308][left % 4] ?? 302, { location: `/${left - 1}` }).end('elsewhere')
  })
  const { bytes, finalUrl } = await guarded()(`http://app.test:${port}/3`)
  assert.deepEqual([bytes.toString(), finalUrl], ['there', `http://app.test:${port}/0`])
  assert.equal(seen.length, 4)
  await assert.rejects(guarded()(`http://app.test:${port}/4`), refused('too_many_redirects'))
  assert.equal(seen.length, 8)
})

test('ends a redirect to itself', async () => {
  const { port, seen } = await serve((_request, response) => response.writeHead(301, { location: '/' }).end())
  await assert.rejects(guarded()(`http://app.test:${port}/`), refused('too_many_redirects'))
  assert.equal(seen.length, 4)
})

test('forwards the requested headers on a redirect, and nothing else that was for the first host', async () => {
  const { port, seen } = await serve((request, response) => {
    if (request.headers.host?.startsWith('app.test')) {
      response.writeHead(302, { location: `http://other.test:${port}/`, 'set-cookie': 'a=b' }).end()
    } else response.end()
  })
  const headers = { accept: 'image/*', 'x-signature': 'only for app.test' }
  const { finalUrl } = await guarded()(`http://app.test:${port}/?q=private`, { headers })
  assert.equal(finalUrl, `http://other.test:${port}/`)
  assert.deepEqual(Object.keys(seen[1]?.headers ?? {}).sort(), [
    'accept',
    'accept-encoding',
    'connection',
    'host',
    'user-agent',
  ])
})

test('sends a POST with its body and follows no redirect', async () => {
  const bodies: string[] = []
  const { port, seen } = await serve(async (request, response) => {
    bodies.push(Buffer.concat(await request.toArray()).toString())
    response.writeHead(307, { location: 'http://other.test/' }).end('moved')
  })
  const headers = { 'content-type': 'application/json' }
  const { status, bytes } = await guarded()(`http://app.test:${port}/hook`, {
    method: 'POST',
    headers,
    body: Buffer.from('{"é":1}'),
  })
  assert.deepEqual([status, bytes.toString()], [307, 'moved'])
  assert.deepEqual(bodies, ['{"é":1}'])
  assert.equal(seen[0]?.headers['content-length'], '8')
  assert.equal(seen[0]?.headers['transfer-encoding'], undefined)
})

test('returns 3xx replies without a target as replies', async () => {
  for (const status of [300, 302, 304]) {
    const { port } = await serve((_request, response) => response.writeHead(status).end())
    assert.equal((await guarded()(`http://app.test:${port}/`)).status, status)
  }
})

test('does not even resolve a denied host, at the start or after a redirect', async () => {
  const { port } = await serve((_request, response) => response.writeHead(302, { location: 'http://bad.test/' }).end())
  const resolved: string[] = []
  const fetch = guarded({
    resolveName: async (name) => {
      resolved.push(name)
      return [internet]
    },
  })
  const isDeniedHost = (host: string) => host === 'bad.test'
  await assert.rejects(fetch(`http://app.test:${port}/`, { isDeniedHost }), refused('denied_host'))
  await assert.rejects(fetch(`http://bad.test:${port}/`, { isDeniedHost }), refused('denied_host'))
  assert.deepEqual(resolved, ['app.test'])
})

const maxBytes = fetchLimits.bodyBytes
for (const [length, taken] of [
  [maxBytes - 1, true],
  [maxBytes, true],
  [maxBytes + 1, false],
] as const) {
  test(`a body of ${length} bytes is ${taken ? 'taken' : 'refused'}`, async () => {
    const { port } = await serve((_request, response) => response.end(Buffer.alloc(length)))
    const fetched = guarded()(`http://app.test:${port}/`)
    if (taken) assert.equal((await fetched).bytes.length, length)
    else await assert.rejects(fetched, refused('too_large', /1024 KiB/))
  })
}

test('cuts off an endless body', async () => {
  let open = true
  const { port } = await serve((_request, response) => {
    response.on('close', () => {
      open = false
    })
    const more = () => {
      while (open && response.write(Buffer.alloc(16_384)));
    }
    response.on('drain', more)
    more()
  })
  await assert.rejects(guarded()(`http://app.test:${port}/`), refused('too_large'))
})

test('does not read an unwanted body, however large or compressed it is', async () => {
  const { port } = await serve((_request, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' })
    response.write(Buffer.alloc(4 * maxBytes))
  })
  const { status, bytes } = await guarded()(`http://app.test:${port}/`, { readBody: false })
  assert.deepEqual([status, bytes.length], [200, 0])
})

test('refuses a compressed body, which could expand to any size', async () => {
  for (const encoding of ['gzip', 'br', 'GZIP', 'identity, gzip', 'x']) {
    const { port } = await serve((_request, response) => {
      response.writeHead(200, { 'content-encoding': encoding }).end(gzipSync(Buffer.alloc(10 * maxBytes)))
    })
    await assert.rejects(guarded()(`http://app.test:${port}/`), refused('encoded'), encoding)
  }
})

test('refuses huge headers, as one and as many', async () => {
  for (const head of [
    `x-long: ${'x'.repeat(20_000)}`,
    Array.from({ length: 3_000 }, (_, n) => `x-${n}: y`).join('\r\n'),
  ]) {
    const port = await serveBytes((socket) => socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n`))
    await assert.rejects(guarded()(`http://app.test:${port}/`), refused('too_large', /head/))
  }
})

const limits = { ...fetchLimits, timeMs: 150 }
const slow: [string, (socket: Socket) => void][] = [
  ['never answers', () => undefined],
  ['sends its head byte by byte', (socket) => trickle(socket, 'HTTP/1.1 200 OK\r\nx: ')],
  ['sends its body byte by byte', (socket) => trickle(socket, 'HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n')],
  ['never ends a chunked body', (socket) => socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1\r\n')],
  ['only ever says that it goes on', (socket) => trickle(socket, '', 'HTTP/1.1 103 Early Hints\r\n\r\n')],
]
for (const [name, answer] of slow) {
  test(`gives up on a server that ${name} after the time limit`, async () => {
    const port = await serveBytes(answer)
    await assert.rejects(guarded({ limits })(`http://app.test:${port}/`), refused('timeout', /within 0.15 seconds/))
  })
}

function trickle(socket: Socket, head: string, drop = 'x') {
  socket.write(head)
  const timer = setInterval(() => socket.write(drop), 20)
  socket.on('close', () => clearInterval(timer))
}

test('applies the time limit to all redirects together, and to name servers', async () => {
  const { port } = await serve((_request, response) => {
    setTimeout(() => response.writeHead(302, { location: '/' }).end(), 100)
  })
  await assert.rejects(guarded({ limits })(`http://app.test:${port}/`), refused('timeout'))
  const resolveName = () => new Promise<never>(() => undefined)
  await assert.rejects(guarded({ limits, resolveName })('http://app.test/'), refused('timeout'))
})

test('distinguishes failing name servers from a name that does not exist', async () => {
  const resolveName = async () => {
    throw Object.assign(new Error('queryA ESERVFAIL app.test'), { code: 'ESERVFAIL' })
  }
  await assert.rejects(guarded({ resolveName })('http://app.test/'), refused('name_not_resolved'))
})

const broken: [string, string, FetchRefusal][] = [
  ['no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n', 'broken_answer'],
  ['nothing at all', '', 'no_connection'],
  ['half a body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf', 'no_connection'],
  ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab', 'broken_answer'],
  [
    'another protocol',
    'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    'broken_answer',
  ],
]
for (const [name, bytes, code] of broken) {
  test(`a server that answers ${name}: ${code}`, async () => {
    const port = await serveBytes((socket) => socket.end(bytes))
    await assert.rejects(guarded()(`http://app.test:${port}/`), refused(code))
  })
}

test('no server listens: no connection', async () => {
  const server = createTcpServer()
  const port = await listen(server, internet)
  server.close()
  await once(server, 'close')
  await assert.rejects(guarded()(`http://app.test:${port}/`), refused('no_connection'))
})

async function serveSecurely(answer: RequestListener, ...certificateNames: string[]) {
  const certificate = makeCertificate(...certificateNames)
  const port = await listen(createSecureServer({ ...certificate }, answer), internet)
  return { port, certificateAuthorities: [certificate.cert] }
}

test('requires a certificate for the name, signed by a trusted authority', async () => {
  const { port, certificateAuthorities } = await serveSecurely((_request, response) => response.end('ok'), 'app.test')
  const fetch = guarded({ certificateAuthorities })
  assert.equal((await fetch(`https://app.test:${port}/`)).bytes.toString(), 'ok')
  await assert.rejects(fetch(`https://other.test:${port}/`), refused('bad_certificate'))
  await assert.rejects(fetch(`https://${internet}:${port}/`), refused('bad_certificate'))
  await assert.rejects(guarded()(`https://app.test:${port}/`), refused('bad_certificate'))
})

test('sends the name to the server (SNI), so that it can choose its certificate', async () => {
  const asked: (string | false | null | undefined)[] = []
  const { port, certificateAuthorities } = await serveSecurely((request, response) => {
    asked.push('servername' in request.socket ? String(request.socket.servername) : undefined)
    response.end()
  }, 'app.test')
  await guarded({ certificateAuthorities })(`https://app.test:${port}/`)
  assert.deepEqual(asked, ['app.test'])
})

test('reports https to a server without TLS as a refusal', async () => {
  const { port } = await serve((_request, response) => response.end())
  await assert.rejects(guarded()(`https://app.test:${port}/`), refused('bad_certificate'))
})

test('follows a redirect from http to https, never back', async () => {
  const plain = await serve((_request, response) => response.end('plain'))
  const { port, certificateAuthorities } = await serveSecurely((request, response) => {
    if (request.url === '/down') response.writeHead(302, { location: `http://app.test:${plain.port}/` }).end()
    else response.end('secure')
  }, 'app.test')
  const up = await serve((_request, response) => {
    response.writeHead(302, { location: `https://app.test:${port}/` }).end()
  })
  const fetch = guarded({ certificateAuthorities })
  assert.equal((await fetch(`http://app.test:${up.port}/`)).bytes.toString(), 'secure')
  await assert.rejects(fetch(`https://app.test:${port}/down`), refused('downgrade'))
  assert.equal(plain.seen.length, 0)
})

test('ignores proxies in the environment, and a certificate check that was switched off', async () => {
  const proxy = await serve((_request, response) => response.end('proxied'))
  const direct = await serve((_request, response) => response.end('direct'))
  const secure = await serveSecurely((_request, response) => response.end('unverified'), 'app.test')
  const program = `
    import { createGuardedFetch } from ${JSON.stringify(new URL('guarded-fetch.ts', import.meta.url).href)}
    const fetch = createGuardedFetch({ baseUrl: 'https://meet.example.org', resolveName: async () => ['${internet}'],
      isAllowedAddress: () => true, isAllowedPort: () => true })
    const { bytes } = await fetch('http://app.test:${direct.port}/')
    const code = await fetch('https://app.test:${secure.port}/').then(() => 'fetched', (error) => error.code)
    console.log(bytes.toString(), code)`
  const address = `http://${internet}:${proxy.port}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env: {
      ...process.env,
      NODE_USE_ENV_PROXY: '1',
      HTTP_PROXY: address,
      HTTPS_PROXY: address,
      http_proxy: address,
      https_proxy: address,
      NO_PROXY: '',
      NODE_TLS_REJECT_UNAUTHORIZED: '0',
    },
  })
  assert.equal(
    Buffer.concat(await child.stdout.toArray())
      .toString()
      .trim(),
    'direct bad_certificate',
  )
  assert.equal(proxy.seen.length, 0)
})
