import { RoomUpdate } from '@livekit/protocol'
import { Speakers } from '../tracks/speakers.ts'
import { ConnectionQualities } from './connection-qualities.ts'
import type { MediaRoom } from './media-room.ts'

export const BEAT_MS = 50
const BEATS_PER_SPEAKER_UPDATE = 8
const BEATS_PER_REPORT = 20
const BEATS_PER_QUALITY_UPDATE = 60

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
    const speaking = isDue(BEATS_PER_SPEAKER_UPDATE) ? this.speakers.takeChanges() : undefined
    if (speaking !== undefined) room.tell({ case: 'speakersChanged', value: speaking })
    const rated = isDue(BEATS_PER_QUALITY_UPDATE) ? this.qualities.takeChanges(room.participants, nowMs) : undefined
    if (rated !== undefined) room.tell({ case: 'connectionQuality', value: rated })
    if (this.isChanged && isDue(BEATS_PER_REPORT)) {
      this.isChanged = false
      room.tell({ case: 'roomUpdate', value: new RoomUpdate({ room: room.toInfo() }) })
    }
    return isDue(BEATS_PER_REPORT)
  }
}
