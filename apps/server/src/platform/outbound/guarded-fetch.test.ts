import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { after, test } from 'node:test'
import {
  guarded,
  inside,
  internet,
  listen,
  refused,
  serve,
  serveBytes,
  serveSecurely,
} from '../../../test/loopback-internet.ts'
import type { FetchRefusal } from './fetch-refused.ts'
import { createGuardedFetch } from './guarded-fetch.ts'

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

test('tries the next address when the first accepts no connection', async () => {
  const { port } = await serve((_request, response) => response.end('here'))
  const fetch = guarded({
    resolveName: async () => ['127.0.0.3', internet],
    isAllowedAddress: (address) => address === internet || address === '127.0.0.3',
  })
  assert.equal((await fetch(`http://app.test:${port}/`)).bytes.toString(), 'here')
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
