import {
  type ConnectionQuality,
  ConnectionQualityInfo,
  ConnectionQualityUpdate,
  type Room,
  RoomUpdate,
} from '@livekit/protocol'
import { rateConnection } from '../tracks/connection-quality.ts'
import { Speakers } from '../tracks/speakers.ts'
import type { Participant } from './participant.ts'
import type { SignalMessage } from './signal-socket.ts'

export const tickMs = 50
const ticksPerSpeakerUpdate = 8
const ticksPerReport = 20
const ticksPerQualityUpdate = 60

/** Collects the periodic messages to all participants: active speakers, connection qualities, changes of the room. */
export class RoomTicker {
  readonly speakers = new Speakers()
  readonly qualities = new ConnectionQualities()
  /** The description of the room has changed. */
  isChanged = false
  #ticks = 0

  /** The messages that are due now, and whether the reports of each second are due. */
  tick(participants: Participant[], nowMs: number, describe: () => Room) {
    this.#ticks += 1
    const isDue = (ticks: number) => this.#ticks % ticks === 0
    const messages: SignalMessage[] = []
    const speaking = isDue(ticksPerSpeakerUpdate) ? this.speakers.takeChanges() : undefined
    if (speaking !== undefined) messages.push({ case: 'speakersChanged', value: speaking })
    const rated = isDue(ticksPerQualityUpdate) ? this.qualities.takeChanges(participants, nowMs) : undefined
    if (rated !== undefined) messages.push({ case: 'connectionQuality', value: rated })
    const isReportDue = isDue(ticksPerReport)
    if (this.isChanged && isReportDue) {
      this.isChanged = false
      messages.push({ case: 'roomUpdate', value: new RoomUpdate({ room: describe() }) })
    }
    return { messages, isReportDue }
  }
}

/** Tracks the connection qualities of a room's participants and reports changes. */
class ConnectionQualities {
  #reported = new Map<string, ConnectionQuality>()
  /** The participants whose cameras lacked something the last time. */
  #short: ReadonlySet<string> = new Set()

  /** The changes since the last call; undefined if there are none. */
  takeChanges(participants: readonly Participant[], nowMs: number): ConnectionQualityUpdate | undefined {
    const short = new Set<string>()
    const rated = participants
      .filter(({ isActive, profile }) => isActive && !profile.permission.hidden)
      .map((participant) => {
        const { sid, incoming, downlink, lastCheckMs } = participant
        const shortage = participant.uplinkShortage(nowMs)
        if (shortage !== 'none') short.add(sid)
        const observed = {
          uplinkLoss: incoming.loss,
          downlinkLoss: downlink.loss,
          downlinkShare: downlink.share,
          // A shortage counts the second time: a browser that begins to send starts with the smallest layer.
          uplinkShortage: this.#short.has(sid) ? shortage : 'none',
          silentMs: nowMs - (lastCheckMs ?? nowMs),
        }
        return [sid, rateConnection(observed)] as const
      })
    const before = this.#reported
    this.#short = short
    this.#reported = new Map(rated)
    const changed = rated.filter(([sid, quality]) => before.get(sid) !== quality)
    if (changed.length === 0) return undefined
    return new ConnectionQualityUpdate({
      updates: changed.map(([participantSid, quality]) => new ConnectionQualityInfo({ participantSid, quality })),
    })
  }

  /** Report all qualities again, for a participant who has just joined. */
  resetSent(): void {
    this.#reported.clear()
  }
}
