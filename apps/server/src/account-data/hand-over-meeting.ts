import { addressKey } from '@parley/rules/text/email-address'
import { serviceActorFor } from '../access/caller.ts'
import type { WithDatabase } from '../access/service.ts'
import { trustsEveryAddress } from '../access/trusted-address.ts'
import { emailLanguage, meetingHandedOverEmail } from '../accounts/email-links/account-emails.ts'
import { queueEmail } from '../accounts/email-links/queue-email.ts'
import { queueResend } from '../invitations/delivery/resend-store.ts'
import { changeHost, lockForNewHost } from '../meetings/change-host.ts'
import type { Tx } from '../tables/tables.ts'

export type ErasureDependencies = Pick<WithDatabase, 'database' | 'clock' | 'random' | 'encryption' | 'config'>

/**
 * Make the first cohost who has an account the host of a meeting: code, PIN and link stay, the host key changes. The
 * other guests are emailed the meeting with its new organizer (RFC 5546, 3.2.2.6). Returns false when no cohost
 * qualifies.
 */
export async function handOverMeeting(
  tx: Tx,
  dependencies: ErasureDependencies,
  { meetingId, hostId, now }: { meetingId: string; hostId: string; now: Date },
): Promise<boolean> {
  const { config } = dependencies
  if (!(await lockForNewHost(tx, meetingId, hostId))) return false
  const successor = await findSuccessor(tx, meetingId, trustsEveryAddress(config))
  if (successor === undefined) return false
  await changeHost(tx, dependencies, { meetingId, hostId, newHostId: successor.id, now })
  const key = addressKey(successor.email)
  await tx.deleteFrom('participant').where('meetingId', '=', meetingId).where('emailKey', '=', key).execute()
  await tx.deleteFrom('guestDelivery').where('meetingId', '=', meetingId).where('emailKey', '=', key).execute()
  const guests = await tx
    .selectFrom('participant')
    .select(['emailKey', 'email'])
    .where('meetingId', '=', meetingId)
    .orderBy('emailKey')
    .execute()
  for (const { emailKey, email } of guests) {
    const mail = { meetingId, addressKey: emailKey, email, isRefusable: false, now }
    await queueResend(tx, dependencies, serviceActorFor(successor, hostId), mail)
  }
  const email = { baseUrl: config.baseUrl, to: successor.email, language: emailLanguage(successor.language), meetingId }
  await queueEmail(tx, dependencies, meetingHandedOverEmail(email))
  return true
}

/** Only of the host's organisation: meetings do not move under other administrators. */
const findSuccessor = (tx: Tx, meetingId: string, trustsEvery: boolean) =>
  tx
    .selectFrom('participant')
    .innerJoin('meeting', 'meeting.id', 'participant.meetingId')
    .innerJoin('account as host', 'host.id', 'meeting.hostId')
    .innerJoin('account', 'account.emailKey', 'participant.emailKey')
    .select(['account.id', 'account.email', 'account.language'])
    .where('participant.meetingId', '=', meetingId)
    .where('participant.cohost', '=', true)
    .where('account.disabledAt', 'is', null)
    .whereRef('account.tenantId', '=', 'host.tenantId')
    .$if(!trustsEvery, (accounts) => accounts.where('account.emailVerifiedAt', 'is not', null))
    .orderBy('participant.position')
    .limit(1)
    .executeTakeFirst()
