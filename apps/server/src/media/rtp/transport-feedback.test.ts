import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RtcpPacketConverter, RtcpTransportLayerFeedback, TransportWideCC } from 'werift'
import { readTransportFeedback, TransportFeedback } from './transport-feedback.ts'

/** The reading of another implementation: each packet's arrival, in milliseconds from the report's reference. */
function read(packet: Buffer | undefined) {
  assert.ok(packet !== undefined)
  const [parsed] = RtcpPacketConverter.deSerialize(packet)
  assert.ok(parsed instanceof RtcpTransportLayerFeedback && parsed.feedback instanceof TransportWideCC)
  return parsed.feedback
}

test('reports each packet once, with its arrival time', () => {
  const feedback = new TransportFeedback()
  assert.equal(feedback.take(1, 2), undefined)
  const arrivals: [number, number][] = [
    [65_534, 6_400_010],
    [65_535, 6_400_012],
    [1, 6_400_200],
  ]
  for (const [sequenceNumber, atMs] of arrivals) feedback.recordArrival(sequenceNumber, atMs)
  const first = read(feedback.take(1, 2))
  assert.deepEqual([first.senderSsrc, first.mediaSourceSsrc, first.fbPktCount], [1, 2, 0])
  assert.deepEqual([first.baseSequenceNumber, first.packetStatusCount], [65_534, 4])
  assert.equal(first.referenceTime * 64, 6_400_000)
  assert.deepEqual(
    first.recvDeltas.map(({ delta }) => delta / 1000),
    [10, 2, 188],
  )
  assert.equal(feedback.take(1, 2), undefined)

  // 0 was reported as lost, which is not revoked when it arrives after all.
  feedback.recordArrival(0, 6_400_300)
  feedback.recordArrival(3, 6_400_310)
  const second = read(feedback.take(1, 2))
  assert.deepEqual([second.baseSequenceNumber, second.packetStatusCount, second.fbPktCount], [2, 2, 1])
})

test('packets that overtake each other have earlier arrival times', () => {
  const feedback = new TransportFeedback()
  feedback.recordArrival(11, 1000)
  feedback.recordArrival(10, 1020)
  const { recvDeltas, referenceTime } = read(feedback.take(1, 2))
  const cameMs = [referenceTime * 64 + (recvDeltas[0]?.delta ?? 0) / 1000]
  cameMs.push((cameMs[0] ?? 0) + (recvDeltas[1]?.delta ?? 0) / 1000)
  assert.deepEqual(cameMs, [1020, 1000])
})

test('a wide gap does not make a wide report', () => {
  const feedback = new TransportFeedback()
  feedback.recordArrival(1, 1000)
  feedback.take(1, 2)
  feedback.recordArrival(30_000, 1010)
  assert.equal(read(feedback.take(1, 2)).packetStatusCount, 1)
})

test('reads what it writes', () => {
  const feedback = new TransportFeedback()
  for (const [sequenceNumber, atMs] of [
    [65_535, 6_400_012],
    [0, 6_400_010],
    [2, 6_400_300],
  ] as const)
    feedback.recordArrival(sequenceNumber, atMs)
  const report = readTransportFeedback(feedback.take(1, 2) ?? Buffer.alloc(0))
  assert.deepEqual(report, { base: 65_535, arrivals: [6_400_012, 6_400_010, undefined, 6_400_300] })
})

/** A report with these chunks and differences. */
const reportOf = (count: number, chunks: number[], deltas: number[]) => {
  const head = Buffer.alloc(20 + chunks.length * 2)
  head.writeUInt16BE(5, 12)
  head.writeUInt16BE(count, 14)
  head.writeUIntBE(2, 16, 3)
  for (const [at, chunk] of chunks.entries()) head.writeUInt16BE(chunk, 20 + at * 2)
  return Buffer.concat([head, Buffer.from(deltas)])
}

test('reads runs and vectors of one bit, as browsers write them', () => {
  const run = reportOf(3, [0x2003], [4, 8, 0])
  assert.deepEqual(readTransportFeedback(run)?.arrivals, [129, 131, 131])
  const lost = reportOf(3, [0x0002, 0x2001], [4])
  assert.deepEqual(readTransportFeedback(lost)?.arrivals, [undefined, undefined, 129])
  const vector = reportOf(4, [0x8000 | (0b1011 << 10)], [4, 4, 4])
  assert.deepEqual(readTransportFeedback(vector)?.arrivals, [129, undefined, 130, 131])
})

test('does not read a truncated report, and ends at a run of nothing', () => {
  assert.equal(readTransportFeedback(reportOf(3, [0x2003], [4, 8])), undefined)
  assert.equal(readTransportFeedback(reportOf(3, [], [])), undefined)
  assert.equal(readTransportFeedback(Buffer.alloc(19)), undefined)
  assert.equal(readTransportFeedback(reportOf(2001, [0x07d1], [])), undefined)
  assert.deepEqual(readTransportFeedback(reportOf(2, [0x2000, 0x2001], [4]))?.arrivals, [undefined, 129])
})
