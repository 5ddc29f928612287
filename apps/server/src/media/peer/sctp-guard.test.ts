import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureSctp, type SctpState } from './sctp-guard.ts'

const state: SctpState = { isEstablished: true, lastReceivedTsn: 1000, localTsn: 501, waitingOf: () => 0 }

const u16 = (...values: number[]) => Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 0xff])))
function u32(value: number): Buffer {
  const octets = Buffer.alloc(4)
  octets.writeUInt32BE(value >>> 0)
  return octets
}
function chunk(type: number, body: Buffer, { flags = 0, length = body.length + 4 } = {}): Buffer {
  const padding = Buffer.alloc((4 - (body.length % 4)) % 4)
  return Buffer.concat([Buffer.from([type, flags]), u16(length), body, padding])
}
const packet = (...chunks: Buffer[]) => Buffer.concat([Buffer.alloc(12), ...chunks])
const data = (tsn: number, { streamId = 0, protocol = 51, flags = 3, text = 'hello' } = {}) =>
  chunk(0, Buffer.concat([u32(tsn), u16(streamId, 0), u32(protocol), Buffer.from(text)]), { flags })
const sack = (cumulative: number, ...gaps: [number, number][]) =>
  chunk(3, Buffer.concat([u32(cumulative), u32(1000), u16(gaps.length, 0), ...gaps.map((gap) => u16(...gap))]))
const init = chunk(1, Buffer.concat([u32(1), u32(1000), u16(8, 8), u32(1)]))
const heartbeat = chunk(4, Buffer.concat([u16(1, 8), u32(0)]))

const rows: [string, Buffer, Partial<SctpState>, { chunks: number; messages: number } | undefined][] = [
  ['a message', packet(data(1001)), {}, { chunks: 1, messages: 1 }],
  [
    'two messages and a piece of a third',
    packet(data(1001), data(1002), data(1003, { flags: 2 })),
    {},
    { chunks: 3, messages: 2 },
  ],
  ['nothing', packet(), {}, undefined],
  ['a chunk of length 0', packet(chunk(4, Buffer.alloc(0), { length: 0 })), {}, undefined],
  ['a chunk of length 3', packet(chunk(4, Buffer.alloc(0), { length: 3 })), {}, undefined],
  ['a chunk longer than its packet', packet(chunk(4, Buffer.alloc(4), { length: 9 })), {}, undefined],
  ['a heartbeat', packet(heartbeat), {}, { chunks: 1, messages: 0 }],
  ['a parameter of length 0', packet(chunk(4, u16(1, 0))), {}, undefined],
  ['a parameter longer than its chunk', packet(chunk(4, u16(1, 9, 0, 0))), {}, undefined],
  ['64 chunks', packet(...Array(64).fill(heartbeat)), {}, { chunks: 64, messages: 0 }],
  ['65 chunks', packet(...Array(65).fill(heartbeat)), {}, undefined],
  ['an unknown chunk', packet(chunk(63, Buffer.alloc(4))), {}, undefined],
  ['data 256 ahead of a gap', packet(data(1256)), {}, { chunks: 1, messages: 1 }],
  ['data 257 ahead of a gap', packet(data(1257)), {}, undefined],
  ['data across the end of the numbers', packet(data(4)), { lastReceivedTsn: 2 ** 32 - 2 }, { chunks: 1, messages: 1 }],
  ['data that has been received', packet(data(1000)), {}, { chunks: 1, messages: 1 }],
  ['data before the association', packet(data(1001)), { lastReceivedTsn: undefined }, undefined],
  ['data without a payload', packet(data(1001, { text: '' })), {}, undefined],
  ['the last stream', packet(data(1001, { streamId: 63 })), {}, { chunks: 1, messages: 1 }],
  ['a stream beyond the last', packet(data(1001, { streamId: 64 })), {}, undefined],
  ['a payload of an unknown protocol', packet(data(1001, { protocol: 1 })), {}, undefined],
  [
    'an acknowledgement of a channel that nobody opened',
    packet(data(1001, { protocol: 50, text: '\x02' })),
    {},
    undefined,
  ],
  ['a stream of which 511 chunks wait', packet(data(1001)), { waitingOf: () => 511 }, { chunks: 1, messages: 1 }],
  ['a stream of which 512 chunks wait', packet(data(1001)), { waitingOf: () => 512 }, undefined],
  ['an acknowledgement with gaps', packet(sack(490, [2, 3], [5, 10])), {}, { chunks: 1, messages: 0 }],
  ['an acknowledgement of what was not sent', packet(sack(501)), {}, undefined],
  ['a gap beyond what was sent', packet(sack(490, [2, 11])), {}, undefined],
  ['gaps that overlap', packet(sack(490, [2, 5], [5, 6])), {}, undefined],
  ['a gap that ends before it begins', packet(sack(490, [5, 2])), {}, undefined],
  ['more gaps than there is room for', packet(chunk(3, Buffer.concat([u32(490), u32(0), u16(9, 0)]))), {}, undefined],
  ['a new association', packet(init), { isEstablished: false }, { chunks: 1, messages: 0 }],
  ['a new association within one', packet(init), {}, undefined],
  ['an association that begins with something else', packet(init, heartbeat), { isEstablished: false }, undefined],
  ['a step forward', packet(chunk(192, Buffer.concat([u32(1005), u16(3, 1)]))), {}, { chunks: 1, messages: 0 }],
  [
    'a step forward in a stream beyond the last',
    packet(chunk(192, Buffer.concat([u32(1005), u16(64, 1)]))),
    {},
    undefined,
  ],
]
for (const [what, octets, changes, cost] of rows) {
  test(`${what} is ${cost === undefined ? 'dropped' : 'taken'}`, () =>
    assert.deepEqual(measureSctp(octets, { ...state, ...changes }), cost))
}

test('weighs or drops any prefix of a packet without an error', () => {
  const whole = packet(data(1001), sack(490, [2, 3]), heartbeat)
  for (let length = 0; length <= whole.length; length++) measureSctp(whole.subarray(0, length), state)
})
