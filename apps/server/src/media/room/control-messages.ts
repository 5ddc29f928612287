import { readControl, writePictureLoss } from '../rtp/rtcp.ts'
import type { Downlink } from '../tracks/downlink.ts'
import type { IncomingMedia } from '../tracks/incoming-media.ts'
import type { Subscriptions } from '../tracks/subscriptions.ts'

/** RTCP needs a source; nobody sends media as this one. */
const ourSsrc = 1

type Receiver = { sid: string; incoming: IncomingMedia; subscriptions: Subscriptions; downlink: Downlink }

/** Handle the RTCP messages that a client sends as a publisher and as a subscriber. */
export function receiveControl(participant: Receiver, compound: Buffer, nowMs: number): void {
  const { incoming, subscriptions, downlink } = participant
  for (const message of readControl(compound)) {
    if (message.kind === 'sender-report') {
      const route = incoming.noteReport(message, nowMs)
      for (const one of route?.publication.subscriptions ?? []) one.forwardReport(route?.layer, participant.sid)
    } else if (message.kind === 'bandwidth-estimate') {
      downlink.noteEstimate(message.bitsPerSecond, subscriptions.all, nowMs)
    } else {
      const subscription = subscriptions.bySsrc(message.ssrc)
      if (subscription === undefined) continue
      if (message.kind === 'nack') subscription.resend(message.sequenceNumbers, nowMs)
      else if (message.kind === 'keyframe-request') subscription.requestKeyframe(nowMs)
      else downlink.noteReception(message, subscriptions.all, nowMs)
    }
  }
}

/** The RTCP packets that are due about the media that a client sends: missing packets, arrival times, the receiver report. */
export function controlDue({ incoming }: Pick<Receiver, 'incoming'>, nowMs: number, isReportDue: boolean): Buffer[] {
  const feedback = incoming.takeFeedback(ourSsrc)
  return [
    ...incoming.takeNacks(ourSsrc, nowMs),
    ...(feedback === undefined ? [] : [feedback]),
    ...(isReportDue ? [incoming.takeReceiverReport(ourSsrc, nowMs)] : []),
  ]
}

export const keyframeRequest = (ssrc: number) => writePictureLoss(ourSsrc, ssrc)
