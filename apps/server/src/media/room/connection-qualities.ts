import { type ConnectionQuality, ConnectionQualityInfo, ConnectionQualityUpdate } from '@livekit/protocol'
import { rateConnection } from '../tracks/connection-quality.ts'
import type { Participant } from './participant.ts'

/** How good everybody's connection is: what changed since it was asked before. */
export class ConnectionQualities {
  #told = new Map<string, ConnectionQuality>()

  takeChanges(participants: readonly Participant[], nowMs: number): ConnectionQualityUpdate | undefined {
    const rated = participants
      .filter(({ isActive, person }) => isActive && !person.permission.hidden)
      .map(({ sid, incoming, downlink, lastCheckMs }) => {
        const { loss: downlinkLoss, isLimited } = downlink
        const silentMs = nowMs - (lastCheckMs ?? nowMs)
        return [sid, rateConnection({ uplinkLoss: incoming.loss, downlinkLoss, isLimited, silentMs })] as const
      })
    const before = this.#told
    this.#told = new Map(rated)
    const changed = rated.filter(([sid, quality]) => before.get(sid) !== quality)
    if (changed.length === 0) return undefined
    return new ConnectionQualityUpdate({
      updates: changed.map(([participantSid, quality]) => new ConnectionQualityInfo({ participantSid, quality })),
    })
  }

  /** To somebody who has just come in, everybody is told of. */
  resetSent(): void {
    this.#told.clear()
  }
}
