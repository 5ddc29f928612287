import { resendInvitation } from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import { violationAt } from '@parley/rules/text/violation'
import { actorOf } from '../access/caller.ts'
import type { Service } from '../access/service.ts'
import { lockInvitationsLeft } from '../meetings/invitation-quota.ts'
import { requireMeetingId } from '../meetings/meeting-id.ts'
import { lockMeeting } from '../meetings/meeting-store.ts'
import { rightsOf, viewerOf } from '../meetings/view/meeting-viewer.ts'
import { inTransaction } from '../platform/database/database.ts'
import { invalidRequest, problem, wholeSeconds } from '../platform/http/problem.ts'
import { findResendLimitEnd, queueResend } from './delivery/resend-store.ts'
import { findDateToRespondTo } from './responses/response-store.ts'

/** Mail one guest the invitation again, at the host's request. */
export function serveResendInvitation({ serve, clock, config }: Service) {
  serve(resendInvitation, {
    handle: ({ caller, params, body, database }) =>
      inTransaction(database, async (tx) => {
        const now = clock.now()
        const meeting = await lockMeeting(tx, requireMeetingId(params.meetingId), viewerOf(caller, config))
        if (meeting === undefined) throw problem('meeting_not_found')
        if (!rightsOf(meeting, caller).change) throw problem('forbidden')
        if (meeting.cancelledAt !== null) throw problem('meeting_cancelled')
        const guest = meeting.people.find((person) => person.addressKey === addressKey(body.email))
        if (guest === undefined) {
          throw invalidRequest([
            violationAt('/email', { code: 'not_invited', message: 'is the address of no invited person' }),
          ])
        }
        const { next } = await findDateToRespondTo(tx, meeting, now)
        if (next === undefined) throw problem('meeting_over')

        const name = { meetingId: meeting.id, addressKey: guest.addressKey }
        const actor = actorOf(caller, meeting.host)
        // Before the delivery and the address: all others lock them in this order.
        await lockInvitationsLeft(tx, { config }, actor, now)
        const until = await findResendLimitEnd(tx, name, { config }, actor, now)
        if (until !== undefined) throw mailLimited(until, now)
        await queueResend(tx, { config }, actor, { ...name, email: guest.email, isRefusable: true, now })
        return { status: 'The invitation is sent again.' }
      }),
  })
}

const mailLimited = (until: Date, now: Date) =>
  problem('mail_limited', {
    detail: `The next mail may go to this address at ${until.toISOString()}.`,
    retryAfterSeconds: wholeSeconds(until.getTime() - now.getTime()),
  })
