import { resendInvitation } from '@parley/contract'
import { gatheringMs } from '@parley/rules/invitations/mail-limits'
import { addressKey } from '@parley/rules/text/email-address'
import { violationAt } from '@parley/rules/text/violation'
import type { Actor } from '../access/caller.ts'
import { type DeliveryKey, queueMails } from '../meetings/guest-mail-queue.ts'
import { lockInvitationsLeft } from '../meetings/mail-allowance.ts'
import { changeMeeting } from '../meetings/meeting-access.ts'
import type { Tx } from '../platform/database/database.ts'
import { invalidRequest, problem, wholeSeconds } from '../platform/http/problem.ts'
import { findMailLimitEnd } from './delivery/address-limits.ts'
import { lockDelivery, markForResend } from './delivery/guest-delivery-store.ts'
import type { Dependencies } from './dependencies.ts'
import { findDateToRespondTo } from './response-store.ts'

/** Register the endpoint with which a host sends one guest the invitation again. */
export function registerResendInvitation(dependencies: Dependencies) {
  const { serve, clock, config } = dependencies
  serve(resendInvitation, {
    handle: ({ caller, params, body, request, database }) => {
      const access = { caller, request, endpoint: resendInvitation, meetingId: params.meetingId }
      return changeMeeting(database, dependencies, access, 'changePeople', async (tx, { row: meeting, actor }) => {
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
        // All transactions lock the account first, then the delivery, then the address.
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

/**
 * Find the time until which this guest may get no further mail, because the last one was just sent or the daily limits
 * are reached.
 */
async function findResendLimitEnd(
  tx: Tx,
  key: DeliveryKey,
  { config: { rateLimits } }: Pick<Dependencies, 'config'>,
  actor: Actor,
  now: Date,
): Promise<Date | undefined> {
  const delivery = await lockDelivery(tx, key)
  const lastMailMs = delivery?.lastMailAt?.getTime() ?? Number.NEGATIVE_INFINITY
  if (lastMailMs + gatheringMs > now.getTime()) return new Date(lastMailMs + gatheringMs)
  const limited = { addressKey: key.addressKey, charged: actor.charged, isCorrection: false }
  return rateLimits ? findMailLimitEnd(tx, limited, now) : undefined
}

/** Queue the invitation for a guest again, even if the guest's calendar is up to date. */
export async function queueResend(
  tx: Tx,
  dependencies: Pick<Dependencies, 'config'>,
  actor: Actor,
  { addressKey, email, ...mail }: DeliveryKey & { email: string; isRefusable: boolean; now: Date },
): Promise<void> {
  const guests = [{ addressKey, email }]
  await queueMails(tx, dependencies, actor, { ...mail, guests })
  await markForResend(tx, { meetingId: mail.meetingId, addressKey })
}
