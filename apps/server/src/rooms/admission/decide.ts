import { admitAll, decideAdmission } from '@parley/contract'
import { occurrenceToEnter } from '@parley/rules/rooms/admission'
import { stillWaits } from '@parley/rules/rooms/kept-admission'
import { grantIdOf } from '../../access/caller.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { RoomsService } from '../dependencies.ts'
import { recordParticipantEvents } from '../participant-events.ts'
import { hostAtRoom } from '../room-host.ts'
import { publishAdmissionChange } from '../room-topics.ts'
import { admitAllWaiting, changeAdmission, lockAdmission } from './admission-store.ts'
import { seriesForEntry } from './meeting-for-entry.ts'

/**
 * Admit or deny a person who waits, or admit one who was denied. A person inside is removed instead
 * (`participant-controls.ts`).
 */
export function serveDecideAdmission(service: RoomsService) {
  const { serve, clock } = service
  serve(decideAdmission, {
    handle: async (context) => {
      const { row } = await hostAtRoom(service, context, context.params.svcMeetId)
      const now = clock.now()
      const state = context.body.decision === 'admit' ? 'admitted' : 'denied'
      return inTransaction(context.database, async (tx) => {
        const found = await lockAdmission(tx, row.id, context.params.admissionId)
        const isToDecide = found !== undefined && (stillWaits(found, now) || found.state === 'denied')
        if (!isToDecide && found?.state !== state) throw problem('admission_not_found')
        if (isToDecide && found.state !== state) {
          const occurrenceAt = occurrenceToEnter(seriesForEntry(row), now)?.originalStart ?? found.occurrenceAt
          await changeAdmission(tx, found.id, { state, decidedAt: now, askedAt: now, occurrenceAt })
          await recordParticipantEvents(tx, `participant.${state}`, [found.id], grantIdOf(context.caller), now)
          await publishAdmissionChange(tx, row.id, found.id)
        }
        return { status: state === 'admitted' ? 'They may come in.' : 'They stay outside.' }
      })
    },
  })
}

/** Admit everyone who waits at this moment. */
export function serveAdmitAll(service: RoomsService) {
  const { serve, clock } = service
  serve(admitAll, {
    handle: async (context) => {
      const { row } = await hostAtRoom(service, context, context.params.svcMeetId)
      const now = clock.now()
      const occurrenceAt = occurrenceToEnter(seriesForEntry(row), now)?.originalStart ?? now
      return inTransaction(context.database, async (tx) => {
        const admitted = await admitAllWaiting(tx, row.id, { occurrenceAt, now })
        await recordParticipantEvents(tx, 'participant.admitted', admitted, grantIdOf(context.caller), now)
        if (admitted.length > 0) await publishAdmissionChange(tx, row.id, ...admitted)
        return { status: 'Everybody who waits may come in.' }
      })
    },
  })
}
