import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { createResolveName } from './resolve-name.ts'

const noError = 0
const serverFailure = 2
const nameError = 3
const typeA = 1

type Zone = Record<string, { four?: number[][]; six?: Buffer[]; code?: number; codeOfSix?: number }>

/** A name server on loopback (RFC 1035, 4.1) that knows a few names and answers nothing about 'silent.test'. */
async function serveNames(zone: Zone): Promise<string> {
  const socket = createSocket('udp4')
  socket.on('message', (question, from) => {
    const labels: string[] = []
    let at = 12
    for (let length = question[at] ?? 0; length > 0; length = question[at] ?? 0) {
      labels.push(question.toString('latin1', at + 1, at + 1 + length))
      at += 1 + length
    }
    const name = labels.join('.').toLowerCase()
    if (name === 'silent.test') return
    const isFour = question.readUInt16BE(at + 1) === typeA
    const entry = zone[name]
    const found = (isFour ? entry?.four : entry?.six)?.map((bytes) => Buffer.from(bytes)) ?? []
    const code = entry === undefined ? nameError : ((isFour ? entry.code : entry.codeOfSix) ?? noError)
    const answers = found.map((address) =>
      Buffer.concat([Buffer.from([0xc0, 12, 0, isFour ? typeA : 28, 0, 1, 0, 0, 0, 0, 0, address.length]), address]),
    )
    const head = Buffer.from([0, 0, 0x81, 0x80 | code, 0, 1, 0, answers.length, 0, 0, 0, 0])
    question.copy(head, 0, 0, 2)
    socket.send(Buffer.concat([head, question.subarray(12, at + 5), ...answers]), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  after(() => socket.close())
  return `127.0.0.1:${socket.address().port}`
}

const six = Buffer.from('26064700000000000000000000001111', 'hex')
const resolve = createResolveName([
  await serveNames({
    'both.test': {
      four: [
        [93, 184, 216, 34],
        [10, 0, 0, 1],
      ],
      six: [six],
    },
    'four.test': { four: [[93, 184, 216, 34]] },
    'half.test': { four: [[93, 184, 216, 34]], codeOfSix: serverFailure },
    'broken.test': { code: serverFailure, codeOfSix: serverFailure },
    'empty.test': {},
  }),
])
const { signal } = new AbortController()

test('returns all addresses of both kinds, private ones too, for the caller to validate', async () => {
  assert.deepEqual(await resolve('both.test', signal), ['93.184.216.34', '10.0.0.1', '2606:4700::1111'])
  assert.deepEqual(await resolve('four.test', signal), ['93.184.216.34'])
})

test('accepts one kind when the other cannot be resolved', async () => {
  assert.deepEqual(await resolve('half.test', signal), ['93.184.216.34'])
})

test('returns none for a name that does not exist, has no address or cannot be a name', async () => {
  for (const name of ['gone.test', 'empty.test', `${'x'.repeat(64)}.test`, 'a..test']) {
    assert.deepEqual(await resolve(name, signal), [], name)
  }
})

test('rejects when the name server fails', async () => {
  await assert.rejects(resolve('broken.test', signal), { code: 'ESERVFAIL' })
})

test('stops waiting for a silent name server when the caller gives up', async () => {
  const late = new AbortController()
  const answer = resolve('silent.test', late.signal)
  late.abort()
  await assert.rejects(answer, { code: 'ECANCELLED' })
})
