import { renameAdmission } from '@parley/contract'
import { renamed } from '@parley/rules/rooms/renaming'
import { nameLimits, readPersonName } from '../../accounts/account/person-fields.ts'
import { queueReconcileRoom } from '../../meetings/reconcile-room-job.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Dependencies } from '../dependencies.ts'
import { publishAdmissionChange } from '../room-topics.ts'
import { findOwnAdmission, lockOwnAdmission, updateAdmission } from './admission-store.ts'
import { findMeetingForEntry } from './meeting-for-entry.ts'
import { personOf } from './visitor.ts'

/** Let a person change the name that others see in this call, before and after they enter. */
export function registerRenameAdmission({ serve, guestCookie, attemptLimits, control }: Dependencies) {
  serve(renameAdmission, {
    read: ({ body }) => readPersonName('/name', body.name ?? '', nameLimits),
    handle: async ({ caller, params, input, request, database }) => {
      const name = input.trim()
      const person = personOf(guestCookie, { caller, request })
      const meeting = await findMeetingForEntry(database, params.svcMeetId, caller)
      if (person === undefined || meeting === undefined) throw problem('admission_not_found')
      const known = await findOwnAdmission(database, meeting.id, person)
      if (known === undefined || known.id !== params.admissionId || known.state === 'denied')
        throw problem('admission_not_found')
      await attemptLimits.countOrRefuse('renamesOfPerson', known.id)
      const changed = await inTransaction(database, async (tx) => {
        const admission = await lockOwnAdmission(tx, meeting.id, person)
        if (admission === undefined || admission.name === name) return undefined
        await updateAdmission(tx, admission.id, renamed(admission, name))
        await publishAdmissionChange(tx, meeting.id, admission.id)
        if (admission.inside) await queueReconcileRoom(tx, meeting.id)
        return admission
      })
      // When this fails, the job reconciles the room.
      if (changed?.inside)
        await control?.setName({ meetingId: meeting.id, admissionId: changed.id }, name).catch(() => {})
      return { name }
    },
  })
}
