import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guarded, inside, internet, refused, serve } from '../../../test/loopback-internet.ts'
import type { FetchRefusal } from './fetch-refused.ts'

test('resolves and validates again for a redirect to the same name', async () => {
  const { port, seen } = await serve((_request, response) => response.writeHead(302, { location: '/next' }).end())
  const answers = [[internet], [inside]]
  const fetch = guarded({ resolveName: async () => answers.shift() ?? [] })
  await assert.rejects(fetch(`http://rebind.test:${port}/`), refused('private_address'))
  assert.equal(seen.length, 1)
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
