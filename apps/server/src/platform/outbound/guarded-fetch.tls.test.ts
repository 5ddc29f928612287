import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guarded, internet, refused, serve, serveSecurely } from '../../../test/loopback-internet.ts'

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
