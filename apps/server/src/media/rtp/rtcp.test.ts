import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  GenericNack,
  PictureLossIndication,
  ReceiverEstimatedMaxBitrate,
  RtcpPacketConverter,
  RtcpPayloadSpecificFeedback,
  RtcpReceiverInfo,
  RtcpRrPacket,
  RtcpSenderInfo,
  RtcpSrPacket,
  RtcpTransportLayerFeedback,
} from 'werift'
import { readControl, writeNack, writePictureLossIndication, writeReceiverReport, writeSenderReport } from './rtcp.ts'

test('reads packets that another implementation writes', () => {
  const reception = new RtcpReceiverInfo({
    ssrc: 5,
    fractionLost: 64,
    packetsLost: 3,
    highestSequence: 9,
    jitter: 11,
    lsr: 0,
    dlsr: 0,
  })
  const senderInfo = new RtcpSenderInfo({
    ntpTimestamp: (7n << 32n) | 8n,
    rtpTimestamp: 9,
    packetCount: 1,
    octetCount: 2,
  })
  const compound = Buffer.concat([
    new RtcpSrPacket({ ssrc: 1, senderInfo, reports: [reception] }).serialize(),
    new RtcpRrPacket({ ssrc: 1, reports: [reception] }).serialize(),
    new RtcpTransportLayerFeedback({
      feedback: new GenericNack({ senderSsrc: 1, mediaSourceSsrc: 2, lost: [65_535, 0, 17] }),
    }).serialize(),
    new RtcpPayloadSpecificFeedback({
      feedback: new PictureLossIndication({ senderSsrc: 1, mediaSsrc: 3 }),
    }).serialize(),
    new RtcpPayloadSpecificFeedback({
      feedback: new ReceiverEstimatedMaxBitrate({
        senderSsrc: 1,
        mediaSsrc: 0,
        ssrcNum: 1,
        brExp: 2,
        brMantissa: 100_000,
        ssrcFeedbacks: [4],
      }),
    }).serialize(),
  ])
  const report = { kind: 'reception', ssrc: 5, fractionLost: 64, jitter: 11 }
  assert.deepEqual(readControl(compound), [
    { kind: 'sender-report', ssrc: 1, ntpSeconds: 7, ntpFraction: 8, rtpTimestamp: 9 },
    report,
    report,
    { kind: 'nack', ssrc: 2, sequenceNumbers: [65_535, 0, 17] },
    { kind: 'keyframe-request', ssrc: 3 },
    { kind: 'bandwidth-estimate', bitsPerSecond: 400_000, ssrcs: [4] },
  ])
  // Truncated anywhere, complete parts are read and nothing fails.
  for (let length = 0; length < compound.length; length++) readControl(compound.subarray(0, length))
})

test('another implementation reads packets that we write', () => {
  const reportBlock = {
    ssrc: 5,
    fractionLost: 64,
    cumulativeLost: -1,
    highestSequence: 70_000,
    jitter: 11,
    lastReport: 0xffff_ffff,
    delaySinceLastReport: 13,
  }
  const report = { ssrc: 6, ntpSeconds: 0xffff_ffff, ntpFraction: 8, rtpTimestamp: 9 }
  const compound = [
    writeReceiverReport(1, [reportBlock]),
    writeSenderReport(report, 10, 1000, 'PA_stranger'),
    writePictureLossIndication(1, 3),
    writeNack(1, 2, [10, 11, 26, 27, 65_535, 0]),
  ]
  const [rr, sr, description, pli, nack] = RtcpPacketConverter.deSerialize(Buffer.concat(compound))
  assert.ok(rr instanceof RtcpRrPacket && sr instanceof RtcpSrPacket && description !== undefined)
  const { ssrc, fractionLost, packetsLost, highestSequence, jitter, lsr, dlsr } = rr.reports[0] ?? {}
  assert.deepEqual(
    [ssrc, fractionLost, packetsLost, highestSequence, jitter, lsr, dlsr],
    [5, 64, 0, 70_000, 11, 0xffff_ffff, 13],
  )
  assert.equal(sr.senderInfo.ntpTimestamp, (0xffff_ffffn << 32n) | 8n)
  assert.deepEqual([sr.senderInfo.rtpTimestamp, sr.senderInfo.packetCount, sr.senderInfo.octetCount], [9, 10, 1000])
  assert.match(JSON.stringify(description), /PA_stranger/)
  assert.ok(pli instanceof RtcpPayloadSpecificFeedback && pli.feedback instanceof PictureLossIndication)
  assert.equal(pli.feedback.mediaSsrc, 3)
  assert.ok(nack instanceof RtcpTransportLayerFeedback && nack.feedback instanceof GenericNack)
  // It does not wrap around.
  assert.deepEqual(
    nack.feedback.lost.map((one) => one & 0xffff),
    [10, 11, 26, 27, 65_535, 0],
  )
})
