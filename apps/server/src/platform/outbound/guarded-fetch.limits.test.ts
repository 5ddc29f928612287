import assert from 'node:assert/strict'
import type { Socket } from 'node:net'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { guarded, refused, serve, serveBytes } from '../../../test/loopback-internet.ts'
import { fetchLimits } from './guarded-fetch.ts'

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

test('ends when its caller aborts it: before the connection, during the head and during the body', async () => {
  await assert.rejects(guarded()('http://app.test:1/', { signal: AbortSignal.abort() }), refused('aborted'))
  for (const start of ['', 'HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n']) {
    const aborting = new AbortController()
    const closed = Promise.withResolvers<void>()
    const port = await serveBytes((socket) => {
      socket.on('close', () => closed.resolve())
      socket.write(start, () => aborting.abort())
    })
    const { signal } = aborting
    await assert.rejects(guarded()(`http://app.test:${port}/`, { signal }), refused('aborted'))
    await closed.promise
  }
})

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
