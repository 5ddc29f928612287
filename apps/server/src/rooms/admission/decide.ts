import { admitAll, decideAdmission } from '@parley/contract'
import { stillWaits } from '@parley/rules/rooms/stored-admission'
import { grantIdOf } from '../../access/caller.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Dependencies } from '../dependencies.ts'
import { recordParticipantEvents } from '../participant-events.ts'
import { requireRoomHost } from '../room-host.ts'
import { publishAdmissionChange } from '../room-topics.ts'
import { admitAllWaiting, lockAdmission, updateAdmission } from './admission-store.ts'
import { occurrenceNow } from './meeting-for-entry.ts'

/** Register the decisions of hosts about people who wait. */
export function registerDecisions(dependencies: Dependencies) {
  const { serve, clock } = dependencies

  // A person who was denied can be admitted as well. A person inside is removed instead (`participant-controls.ts`).
  serve(decideAdmission, {
    handle: async (context) => {
      const { meeting } = await requireRoomHost(dependencies, context, context.params.svcMeetId)
      const now = clock.now()
      const state = context.body.decision === 'admit' ? 'admitted' : 'denied'
      await inTransaction(context.database, async (tx) => {
        const admission = await lockAdmission(tx, meeting.id, context.params.admissionId)
        if (admission?.state === state) return
        const isUndecided = admission !== undefined && (stillWaits(admission, now) || admission.state === 'denied')
        if (!isUndecided) throw problem('admission_not_found')
        const occurrenceAt = occurrenceNow(meeting, now)?.originalStart ?? admission.occurrenceAt
        await updateAdmission(tx, admission.id, { state, decidedAt: now, askedAt: now, occurrenceAt })
        await recordParticipantEvents(tx, `participant.${state}`, [admission.id], grantIdOf(context.caller), now)
        await publishAdmissionChange(tx, meeting.id, admission.id)
      })
    },
  })

  serve(admitAll, {
    handle: async (context) => {
      const { meeting } = await requireRoomHost(dependencies, context, context.params.svcMeetId)
      const now = clock.now()
      const occurrenceAt = occurrenceNow(meeting, now)?.originalStart ?? now
      await inTransaction(context.database, async (tx) => {
        const admitted = await admitAllWaiting(tx, meeting.id, { occurrenceAt, now })
        await recordParticipantEvents(tx, 'participant.admitted', admitted, grantIdOf(context.caller), now)
        if (admitted.length > 0) await publishAdmissionChange(tx, meeting.id, ...admitted)
      })
    },
  })
}
