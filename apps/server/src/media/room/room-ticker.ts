import { type Room, RoomUpdate } from '@livekit/protocol'
import { Speakers } from '../tracks/speakers.ts'
import { ConnectionQualities } from './connection-qualities.ts'
import type { Participant } from './participant.ts'
import type { SignalMessage } from './signal-socket.ts'

export const tickMs = 50
const ticksPerSpeakerUpdate = 8
const ticksPerReport = 20
const ticksPerQualityUpdate = 60

/** What is sent to everybody in a room from time to time: who speaks, how good connections are, what changed of the room. */
export class RoomTicker {
  readonly speakers = new Speakers()
  readonly qualities = new ConnectionQualities()
  /** Something of the room itself has changed. */
  isChanged = false
  #ticks = 0

  /** The messages that are due now, and whether it is time for the reports of each second. */
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
