import { readControl, writePictureLoss } from '../rtp/rtcp.ts'
import type { Participant } from './participant.ts'

/** RTCP needs a source; nobody sends media as this one. */
const ourSsrc = 1

/** Takes what a client says by RTCP, as one who publishes and as one who subscribes. */
export function receiveControl(participant: Participant, compound: Buffer, nowMs: number): void {
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

/** What is due to be told to a client of what it sends: what is missing, when each packet came, and the report of each second. */
export function controlDue({ incoming }: Participant, nowMs: number, isReportDue: boolean): Buffer[] {
  const feedback = incoming.takeFeedback(ourSsrc)
  return [
    ...incoming.takeNacks(ourSsrc, nowMs),
    ...(feedback === undefined ? [] : [feedback]),
    ...(isReportDue ? [incoming.takeReceiverReport(ourSsrc, nowMs)] : []),
  ]
}

export const keyframeRequest = (ssrc: number) => writePictureLoss(ourSsrc, ssrc)
