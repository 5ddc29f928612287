import assert from 'node:assert/strict'
import { test } from 'node:test'
import { areRecordsValid } from './dtls-guard.ts'

function record(type: number, epoch: number, fragment: Buffer = Buffer.from([0])): Buffer {
  const header = Buffer.from([type, 254, 253, 0, epoch, 0, 0, 0, 0, 0, 1, 0, fragment.length])
  return Buffer.concat([header, fragment])
}
const clientHello = record(22, 0, Buffer.from([1, 0, 0, 0]))
const finished = record(22, 1, Buffer.from([20, 0, 0, 0]))
const data = record(23, 1)

const rows: [string, Buffer, boolean, boolean][] = [
  ['a client hello', clientHello, true, false],
  [
    'a flight of five records',
    Buffer.concat([...Array(3).fill(record(22, 0, Buffer.from([11]))), record(20, 0), finished]),
    true,
    true,
  ],
  ['application data', data, true, true],
  ['application data in the clear', record(23, 0), true, false],
  ['an encrypted alert', record(21, 1), true, true],
  ['an alert in the clear', record(21, 0), true, false],
  ['a client hello behind data', Buffer.concat([data, clientHello]), true, false],
  ['an unknown content type', record(24, 1), false, false],
  ['eight records', Buffer.concat(Array(8).fill(data)), true, true],
  ['nine records', Buffer.concat(Array(9).fill(data)), false, false],
  ['a record that is cut', data.subarray(0, -1), false, false],
  ['half a header', data.subarray(0, 12), false, false],
]
for (const [what, packet, before, after] of rows) {
  test(`${what}: ${before ? 'taken' : 'dropped'} in a handshake, ${after ? 'taken' : 'dropped'} after it`, () => {
    assert.deepEqual([areRecordsValid(packet, false), areRecordsValid(packet, true)], [before, after])
  })
}
