import { resendInvitation } from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import { violationAt } from '@parley/rules/text/violation'
import type { Service } from '../access/service.ts'
import { changeMeeting } from '../meetings/meeting-access.ts'
import { lockInvitationsLeft } from '../meetings/quotas.ts'
import { invalidRequest, problem, wholeSeconds } from '../platform/http/problem.ts'
import { findResendLimitEnd, queueResend } from './delivery/resend-store.ts'
import { findDateToRespondTo } from './responses/response-store.ts'

/** Mail one guest the invitation again, at the host's request. */
export function serveResendInvitation(service: Service) {
  const { serve, clock, config } = service
  serve(resendInvitation, {
    handle: ({ caller, params, body, request, database }) => {
      const asking = { caller, request, endpoint: resendInvitation, meetingId: params.meetingId }
      return changeMeeting(database, service, asking, 'changePeople', async (tx, { row: meeting, actor }) => {
        const now = clock.now()
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
        // Before the delivery and the address: all others lock them in this order.
        await lockInvitationsLeft(tx, { config }, actor, now)
        const until = await findResendLimitEnd(tx, name, { config }, actor, now)
        if (until !== undefined) throw mailLimited(until, now)
        await queueResend(tx, { config }, actor, { ...name, email: guest.email, isRefusable: true, now })
        return { status: 'Your request to send the invitation again is accepted.' }
      })
    },
  })
}

const mailLimited = (until: Date, now: Date) =>
  problem('mail_limited', {
    detail: `The next mail may go to this address at ${until.toISOString()}.`,
    retryAfterSeconds: wholeSeconds(until.getTime() - now.getTime()),
  })
