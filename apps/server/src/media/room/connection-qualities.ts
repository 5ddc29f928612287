import { type ConnectionQuality, ConnectionQualityInfo, ConnectionQualityUpdate } from '@livekit/protocol'
import { rateConnection } from '../tracks/connection-quality.ts'
import type { Participant } from './participant.ts'

/** Tracks the connection qualities of a room's participants and reports changes. */
export class ConnectionQualities {
  #reported = new Map<string, ConnectionQuality>()

  /** The changes since the last call; undefined if there are none. */
  takeChanges(participants: readonly Participant[], nowMs: number): ConnectionQualityUpdate | undefined {
    const rated = participants
      .filter(({ isActive, profile }) => isActive && !profile.permission.hidden)
      .map(({ sid, incoming, downlink, lastCheckMs }) => {
        const { loss: downlinkLoss, isLimited } = downlink
        const silentMs = nowMs - (lastCheckMs ?? nowMs)
        return [sid, rateConnection({ uplinkLoss: incoming.loss, downlinkLoss, isLimited, silentMs })] as const
      })
    const before = this.#reported
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
