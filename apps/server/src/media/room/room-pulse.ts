import { type Room, RoomUpdate } from '@livekit/protocol'
import { Speakers } from '../tracks/speakers.ts'
import { ConnectionQualities } from './connection-qualities.ts'
import type { Participant } from './participant.ts'
import type { SignalMessage } from './signal-socket.ts'

export const beatMs = 50
const beatsPerSpeakerUpdate = 8
const beatsPerReport = 20
const beatsPerQualityUpdate = 60

/** What is sent to everybody in a room from time to time: who speaks, how good connections are, what changed of the room. */
export class RoomPulse {
  readonly speakers = new Speakers()
  readonly qualities = new ConnectionQualities()
  /** Something of the room itself has changed. */
  isChanged = false
  #beats = 0

  /** The messages that are due now, and whether it is time for the reports of each second. */
  beat(participants: Participant[], nowMs: number, describe: () => Room) {
    this.#beats += 1
    const isDue = (beats: number) => this.#beats % beats === 0
    const messages: SignalMessage[] = []
    const speaking = isDue(beatsPerSpeakerUpdate) ? this.speakers.takeChanges() : undefined
    if (speaking !== undefined) messages.push({ case: 'speakersChanged', value: speaking })
    const rated = isDue(beatsPerQualityUpdate) ? this.qualities.takeChanges(participants, nowMs) : undefined
    if (rated !== undefined) messages.push({ case: 'connectionQuality', value: rated })
    const isReportDue = isDue(beatsPerReport)
    if (this.isChanged && isReportDue) {
      this.isChanged = false
      messages.push({ case: 'roomUpdate', value: new RoomUpdate({ room: describe() }) })
    }
    return { messages, isReportDue }
  }
}
