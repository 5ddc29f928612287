import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TrackInfo, VideoLayer, VideoQuality } from '@livekit/protocol'
import type { Codec } from '../peer/codecs.ts'
import { readRtpHeader } from '../rtp/rtp-packet.ts'
import { readVp8 } from '../rtp/video-payload.ts'
import { Downlink } from './downlink.ts'
import { Publication } from './publication.ts'
import { Subscription } from './subscription.ts'

const codecs: Codec[] = [{ name: 'vp8', clockRate: 90_000, payloadType: 96, rtxPayloadType: 97, parameters: '' }]
const startMs = 1_000_000
const frameMs = 50
/** Each layer's streams begin at any number, as a browser's do. */
const layersSent = [
  { sequenceNumber: 100, timestamp: 1000, pictureId: 10, octets: 500 },
  { sequenceNumber: 65_530, timestamp: 0xffff_0000, pictureId: 0x7ff0, octets: 2000 },
]

/** A camera with two layers, and a subscriber. */
function watchedCamera() {
  const layers = [
    new VideoLayer({ quality: VideoQuality.LOW, width: 320, height: 180 }),
    new VideoLayer({ quality: VideoQuality.MEDIUM, width: 640, height: 360 }),
  ]
  const asked: number[] = []
  const publication = new Publication({
    info: new TrackInfo({ sid: 'TR_camera', layers }),
    publisher: { sid: 'PA_alice', identity: 'alice' },
    mid: '0',
    kind: 'video',
    codecs,
    extensions: {},
    rids: ['q', 'h'],
    sendKeyframeRequest: (ssrc) => asked.push(ssrc),
  })
  const sent: { header: Buffer; payload: Buffer }[] = []
  const reports: Buffer[] = []
  const sender = {
    isOpen: true,
    recordSent: () => 0,
    sendRtp: (header: Buffer, payload: Buffer) => sent.push({ header, payload }),
    sendRtcp: (packet: Buffer) => reports.push(packet),
  }
  const subscription = new Subscription(publication, 7, 8, sender)
  subscription.section = { mid: '3', codecs, extensions: { absoluteSendTime: 2 } }
  publication.subscriptions.add(subscription)
  const frames = [0, 0]
  const send = (index: number, atMs: number, isKey: boolean) => {
    const layer = publication.layers[index]
    const from = layersSent[index]
    assert.ok(layer !== undefined && from !== undefined)
    layer.bind(1000 + index)
    const frame = frames[index] ?? 0
    frames[index] = frame + 1
    const payload = Buffer.alloc(from.octets)
    // Begins a partition; picture id of 15 bits and base layer index; a key frame or not.
    Buffer.from([0x90, 0xc0, 0x80, 0, frame & 0xff, isKey ? 0 : 1]).copy(payload)
    payload.writeUInt16BE(0x8000 | ((from.pictureId + frame) & 0x7fff), 2)
    publication.receive(layer, {
      sequenceNumber: (from.sequenceNumber + frame) & 0xffff,
      timestamp: (from.timestamp + (atMs - startMs) * 90) >>> 0,
      marker: true,
      payload,
      codec: 'vp8',
      audioLevel: undefined,
      orientation: undefined,
      receivedMs: atMs,
    })
  }
  /** Both layers, a picture each 50 ms; keyframes where they are requested. */
  const run = (fromMs: number, toMs: number) => {
    for (let atMs = fromMs; atMs < toMs; atMs += frameMs) {
      asked.length = 0
      if (subscription.awaitsKeyframe(atMs)) subscription.requestKeyframe(atMs)
      for (const index of [0, 1]) send(index, atMs, asked.includes(1000 + index))
    }
  }
  return { publication, subscription, sender, sent, reports, asked, send, run }
}

function packetsOf(sent: { header: Buffer; payload: Buffer }[]) {
  return sent.map(({ header, payload }) => {
    const read = readRtpHeader(header)
    const vp8 = readVp8(payload)
    assert.ok(read !== undefined && vp8 !== undefined)
    return { ...read, pictureId: vp8.pictureId?.value ?? -1, isLarge: payload.length > 1000, isKey: vp8.startsKeyframe }
  })
}

test('begins with a keyframe of the wanted layer', () => {
  const { sent, asked, send, subscription } = watchedCamera()
  send(0, startMs, false)
  send(1, startMs, false)
  assert.equal(sent.length, 0)
  assert.ok(subscription.awaitsKeyframe(startMs))
  subscription.requestKeyframe(startMs)
  assert.deepEqual(asked, [1001])
  subscription.requestKeyframe(startMs + 299)
  assert.deepEqual(asked, [1001])
  send(0, startMs + 50, true)
  assert.equal(sent.length, 0)
  send(1, startMs + 50, true)
  assert.equal(sent.length, 1)
  assert.ok(!subscription.awaitsKeyframe(startMs + 50))
})

test('a change of layer stays one stream: sequence numbers, time and picture ids continue', () => {
  const { subscription, sent, run } = watchedCamera()
  run(startMs, startMs + 1000)
  subscription.allow(0, false)
  run(startMs + 1000, startMs + 2000)
  subscription.allow(1, false)
  run(startMs + 2000, startMs + 3000)
  const packets = packetsOf(sent)
  assert.deepEqual(
    packets
      .filter(({ isLarge }, at) => at === 0 || isLarge !== packets[at - 1]?.isLarge)
      .map(({ isLarge, isKey }) => [isLarge, isKey]),
    [
      [true, true],
      [false, true],
      [true, true],
    ],
  )
  for (const [at, packet] of packets.entries()) {
    const before = packets[at - 1]
    if (before === undefined) continue
    assert.equal((packet.sequenceNumber - before.sequenceNumber) & 0xffff, 1, `number ${at}`)
    assert.equal((packet.pictureId - before.pictureId) & 0x7fff, 1, `picture ${at}`)
    const elapsed = (packet.timestamp - before.timestamp) | 0
    assert.ok(elapsed > 0 && elapsed <= 2 * frameMs * 90, `time ${at}: ${elapsed}`)
    assert.equal(packet.ssrc, 7)
  }
})

test('resends lost packets in a separate stream, at limited intervals', () => {
  const { subscription, sent, run } = watchedCamera()
  run(startMs, startMs + 500)
  const [, second] = packetsOf(sent)
  assert.ok(second !== undefined)
  const count = sent.length
  subscription.resend([second.sequenceNumber, 12_345], startMs + 600)
  subscription.resend([second.sequenceNumber], startMs + 610)
  assert.equal(sent.length, count + 1)
  const again = sent.at(-1)
  const header = readRtpHeader(again?.header ?? Buffer.alloc(0))
  assert.deepEqual([header?.ssrc, header?.payloadType, header?.timestamp], [8, 97, second.timestamp])
  assert.equal(again?.payload.readUInt16BE(), second.sequenceNumber)
  assert.deepEqual(again?.payload.subarray(2), sent[1]?.payload)
})

test('after a cut, video goes on with a keyframe, and repeats nothing from before', () => {
  const { subscription, sent, run, send, asked } = watchedCamera()
  run(startMs, startMs + 500)
  const count = sent.length
  const [first] = packetsOf(sent)
  asked.length = 0
  subscription.restart(startMs + 1000)
  assert.deepEqual(asked, [1001])
  subscription.resend([first?.sequenceNumber ?? 0], startMs + 1000)
  send(1, startMs + 1000, false)
  assert.equal(sent.length, count)
  send(1, startMs + 1050, true)
  assert.ok(packetsOf(sent)[count]?.isKey)
})

test('muted video is not sent, causes no keyframe request, and continues with a keyframe', () => {
  const { publication, subscription, sent, run, send, asked } = watchedCamera()
  run(startMs, startMs + 500)
  publication.info.muted = true
  subscription.interrupt()
  const count = sent.length
  asked.length = 0
  run(startMs + 500, startMs + 1000)
  assert.equal(sent.length, count)
  publication.info.muted = false
  send(1, startMs + 1000, false)
  assert.equal(sent.length, count)
  run(startMs + 1050, startMs + 1500)
  const packets = packetsOf(sent)
  assert.ok(packets[count]?.isKey)
  assert.equal(((packets[count]?.sequenceNumber ?? 0) - (packets[count - 1]?.sequenceNumber ?? 0)) & 0xffff, 1)
})

test('forwards a publisher’s clock in the subscriber’s numbers', () => {
  const { publication, subscription, sent, reports, run } = watchedCamera()
  run(startMs, startMs + 1000)
  const [small, large] = publication.layers
  const reportOf = (index: number, ssrc: number) => ({
    ssrc,
    ntpSeconds: 5000,
    ntpFraction: 0,
    rtpTimestamp: ((layersSent[index]?.timestamp ?? 0) + 1000 * 90) >>> 0,
  })
  small?.reception?.recordSenderReport(reportOf(0, 1000), startMs + 1000)
  large?.reception?.recordSenderReport(reportOf(1, 1001), startMs + 1000)
  subscription.forwardReport(small, 'alice')
  assert.equal(reports.length, 0)
  subscription.forwardReport(large, 'alice')
  const before = reports.at(-1)?.readUInt32BE(16) ?? 0
  subscription.allow(0, false)
  run(startMs + 1000, startMs + 1500)
  subscription.forwardReport(small, 'alice')
  // Both layers report the same moment.
  assert.equal(reports.at(-1)?.readUInt32BE(16), before)
  // The first picture was sent 50 ms after the start; the report describes a second after it.
  assert.equal(((readRtpHeader(sent[0]?.header ?? Buffer.alloc(0))?.timestamp ?? 0) + 950 * 90) >>> 0, before)
})

test('selects the small layer on a congested link, and the large one once the link allows it', () => {
  const { subscription, sent, run } = watchedCamera()
  const downlink = new Downlink()
  const isLargeNow = () => (sent.at(-1)?.payload.length ?? 0) > 1000
  const all = [subscription]
  run(startMs, startMs + 3000)
  downlink.handleEstimate(300_000, all, startMs + 2900)
  downlink.allocate(all, startMs + 3000)
  assert.ok(isLargeNow() && downlink.share === 1)
  downlink.handleEstimate(150_000, all, startMs + 3000)
  downlink.allocate(all, startMs + 3000)
  run(startMs + 3000, startMs + 4000)
  assert.ok(!isLargeNow() && downlink.share < 1)
  for (let atMs = startMs + 4000; atMs < startMs + 20_000; atMs += 1000) {
    downlink.allocate(all, atMs)
    run(atMs, atMs + 1000)
  }
  assert.ok(isLargeNow() && downlink.share === 1)
})

test('the displayed size determines the layer', () => {
  const { subscription } = watchedCamera()
  const settings = (quality: VideoQuality, width: number, height: number) => {
    subscription.settings = { disabled: false, quality, width, height }
    return subscription.wantedLayer
  }
  assert.equal(settings(VideoQuality.LOW, 0, 0), 0)
  assert.equal(settings(VideoQuality.HIGH, 0, 0), 2)
  assert.equal(settings(VideoQuality.HIGH, 320, 180), 0)
  assert.equal(settings(VideoQuality.LOW, 321, 180), 1)
  assert.equal(settings(VideoQuality.LOW, 1920, 1080), 2)
})

test('sends nothing before a subscriber is connected, and then begins with a keyframe', () => {
  const { subscription, sender, publication, sent, asked, send, run } = watchedCamera()
  sender.isOpen = false
  for (const index of [0, 1]) send(index, startMs, true)
  run(startMs, startMs + 1000)
  assert.deepEqual([sent.length, subscription.awaitsKeyframe(startMs + 1000), asked], [0, false, []])
  sender.isOpen = true
  assert.equal(subscription.awaitsKeyframe(startMs + 1000), true)
  run(startMs + 1000, startMs + 2000)
  const [first] = sent
  assert.ok(first !== undefined && publication.layers.length === 2)
  assert.equal(readVp8(first.payload)?.startsKeyframe, true)
})
