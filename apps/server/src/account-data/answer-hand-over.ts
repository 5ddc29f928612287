import { answerHandOver } from '@parley/contract'
import { audit } from '../access/audit.ts'
import type { AccountsService } from '../accounts/accounts-service.ts'
import { inTransaction } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'
import { queueErasure } from './erase-accounts-job.ts'
import { takeOverMeeting } from './hand-over-meeting.ts'
import { declineHandOver, findHandOver } from './hand-over-store.ts'

export function serveAnswerHandOver(service: AccountsService) {
  const { serve, clock, random } = service
  serve(answerHandOver, {
    handle: ({ caller, params: { meetingId }, body: { answer }, request, database }) =>
      inTransaction(database, async (tx) => {
        const now = clock.now()
        const offer = await findHandOver(tx, meetingId, caller, now)
        if (offer === undefined) throw problem('hand_over_not_found')
        const { hostId } = offer
        if (answer === 'declined') {
          await declineHandOver(tx, meetingId, caller.accountId, now)
          // Cancels the meeting if no other cohost can accept.
          await queueErasure(tx)
          return { status: 'You have declined to host the meeting.' }
        }
        if (!(await takeOverMeeting(tx, service, { meetingId, hostId, successor: caller, now }))) {
          throw problem('hand_over_not_found')
        }
        const { tenantId, accountId: actorId } = caller
        const entry = { tenantId, actorId, subjectId: hostId, address: request.address }
        await audit(tx, random, now, { ...entry, action: 'meeting.handed-over', detail: { meetingId } })
        await queueErasure(tx)
        return { status: 'You host the meeting now. Its guests are mailed.' }
      }),
  })
}
