import { readControl, writePictureLossIndication } from '../rtp/rtcp.ts'
import type { Downlink } from '../tracks/downlink.ts'
import type { IncomingMedia } from '../tracks/incoming-media.ts'
import type { SubscribedTracks } from '../tracks/subscribed-tracks.ts'

/** The sender SSRC of our RTCP packets; no media is sent with it. */
const ourSsrc = 1

type Receiver = { sid: string; incoming: IncomingMedia; subscriptions: SubscribedTracks; downlink: Downlink }

/** Handle the RTCP messages that a client sends as a publisher and as a subscriber. */
export function receiveControl(participant: Receiver, compound: Buffer, nowMs: number): void {
  const { incoming, subscriptions, downlink } = participant
  for (const message of readControl(compound)) {
    if (message.kind === 'sender-report') {
      const route = incoming.recordSenderReport(message, nowMs)
      for (const subscription of route?.publication.subscriptions ?? []) {
        subscription.forwardReport(route?.layer, participant.sid)
      }
    } else if (message.kind === 'arrivals') {
      downlink.handleArrivals(message, subscriptions.all, nowMs)
    } else if (message.kind === 'bandwidth-estimate') {
      downlink.handleEstimate(message.bitsPerSecond, subscriptions.all, nowMs)
    } else {
      const subscription = subscriptions.bySsrc(message.ssrc)
      if (subscription === undefined) continue
      if (message.kind === 'nack') subscription.resend(message.sequenceNumbers, nowMs)
      else if (message.kind === 'keyframe-request') subscription.requestKeyframe(nowMs)
      else downlink.handleReceptionReport(message, subscriptions.all, nowMs)
    }
  }
}

/** The RTCP packets that are due for the media of a client: NACKs, transport feedback, the receiver report. */
export function controlDue({ incoming }: Pick<Receiver, 'incoming'>, nowMs: number, isReportDue: boolean): Buffer[] {
  const feedback = incoming.takeFeedback(ourSsrc)
  return [
    ...incoming.takeNacks(ourSsrc, nowMs),
    ...(feedback === undefined ? [] : [feedback]),
    ...(isReportDue ? [incoming.takeReceiverReport(ourSsrc, nowMs)] : []),
  ]
}

export const keyframeRequest = (ssrc: number) => writePictureLossIndication(ourSsrc, ssrc)
