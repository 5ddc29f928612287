import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { serviceConnection, waitUntilReady } from './readiness.ts'

const folder = await mkdtemp(join(tmpdir(), 'parley-ready-'))
after(() => rm(folder, { recursive: true, force: true }))

/** Messages of PostgreSQL's protocol, version 3: authentication ok, command complete, ready for query. */
const message = (kind: string, content: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeInt32BE(content.length + 4)
  return Buffer.concat([Buffer.from(kind), length, content])
}
const welcome = message('R', Buffer.alloc(4))
const done = message('C', Buffer.from('SELECT 1\0'))
const next = message('Z', Buffer.from('I'))

/** A server that closes this many connections on a query, and then answers. */
async function setUp(cuts: number) {
  const { host, port } = serviceConnection(folder)
  let asked = 0
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => {
      socket.write(Buffer.concat([welcome, next]))
      socket.on('data', (data) => {
        if (data.toString('latin1', 0, 1) !== 'Q') return void socket.end()
        asked += 1
        if (asked <= cuts) socket.destroy()
        else socket.write(Buffer.concat([done, next]))
      })
    })
  })
  server.listen(join(host, `.s.PGSQL.${port}`))
  await once(server, 'listening')
  after(() => server.close())
  await writeFile(join(folder, 'postmaster.pid'), `${process.pid}\n${folder}\n0\n${port}\n${host}\n\n0 0\nready   \n`)
  return { asked: () => asked }
}

const running = { hasEnded: () => false, ended: Promise.withResolvers<string>().promise }
const log = { lastWords: async () => '' }

test('retries a server that dies during a query, without ending our process', async () => {
  const { asked } = await setUp(3)
  await waitUntilReady(running, folder, serviceConnection(folder), log)
  assert.equal(asked(), 4)
})
