import { RoomUpdate } from '@livekit/protocol'
import { Speakers } from '../tracks/speakers.ts'
import { ConnectionQualities } from './connection-qualities.ts'
import type { MediaRoom } from './media-room.ts'

export const beatMs = 50
const beatsPerSpeakerUpdate = 8
const beatsPerReport = 20
const beatsPerQualityUpdate = 60

/** What a room tells those who are in it from time to time. */
export class RoomPulse {
  readonly speakers = new Speakers()
  readonly qualities = new ConnectionQualities()
  /** Something of the room itself has changed. */
  isChanged = false
  #beats = 0

  /** Whether it is time for the reports of each second. */
  beat(room: MediaRoom, nowMs: number): boolean {
    this.#beats += 1
    const isDue = (beats: number) => this.#beats % beats === 0
    const speaking = isDue(beatsPerSpeakerUpdate) ? this.speakers.takeChanges() : undefined
    if (speaking !== undefined) room.tell({ case: 'speakersChanged', value: speaking })
    const rated = isDue(beatsPerQualityUpdate) ? this.qualities.takeChanges(room.participants, nowMs) : undefined
    if (rated !== undefined) room.tell({ case: 'connectionQuality', value: rated })
    if (this.isChanged && isDue(beatsPerReport)) {
      this.isChanged = false
      room.tell({ case: 'roomUpdate', value: new RoomUpdate({ room: room.toInfo() }) })
    }
    return isDue(beatsPerReport)
  }
}
