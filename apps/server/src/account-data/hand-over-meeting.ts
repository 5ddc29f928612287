import { dayMs } from '@parley/rules/invitations/mail-limits'
import { type Caller, serviceActorFor } from '../access/caller.ts'
import { endReplyAddressesOf } from '../access/credentials/reply-addresses.ts'
import type { WithDatabase } from '../access/service.ts'
import { trustsEveryAddress } from '../access/trusted-address.ts'
import { emailLanguage, handOverOfferedEmail } from '../accounts/email-links/account-emails.ts'
import { queueEmail } from '../accounts/email-links/queue-email.ts'
import { queueResend } from '../invitations/delivery/resend-store.ts'
import { changeHost, lockForNewHost } from '../meetings/departing-host.ts'
import { listNotifiedGuests } from '../meetings/guest-delivery.ts'
import { lockInvitationsLeft } from '../meetings/quotas.ts'
import type { Tx } from '../platform/database/database.ts'
import { countHandOverMails, deleteHandOvers, insertHandOvers, listSuccessors, markMailed } from './hand-over-store.ts'

export type ErasureDependencies = Pick<WithDatabase, 'database' | 'clock' | 'random' | 'encryption' | 'config'>

/** Long enough for a cohost on a short leave; until the end the deleted account's name and address are kept. */
const handOverDays = 7
export const handOverMs = handOverDays * dayMs

/** Emails to one account about meetings that others offer: accounts could be made and deleted to send more. */
export const maxOfferMailsADay = 5

type LeavingHost = {
  meetingId: string
  host: { id: string; name: string; lname: string; email: string }
  endsAt: Date
  now: Date
}

/**
 * Offer a meeting to its cohosts who have an account in the host's organisation. Nothing of it changes before one of
 * them accepts, and nothing is sent in a cohost's name. Returns false when there is none, or it was offered before.
 */
export async function offerMeeting(
  tx: Tx,
  dependencies: ErasureDependencies,
  { meetingId, host, endsAt, now }: LeavingHost,
): Promise<boolean> {
  const { config } = dependencies
  if (!(await lockForNewHost(tx, meetingId, host.id))) return true
  const successors = await listSuccessors(tx, meetingId, trustsEveryAddress(config))
  const accountIds = successors.map(({ id }) => id)
  if (!(await insertHandOvers(tx, { meetingId, accountIds, offeredAt: now, expiresAt: endsAt }))) return false
  // Offers count for the account that leaves. Those that are not mailed are on the cohost's pages as well.
  const { left } = await lockInvitationsLeft(tx, dependencies, serviceActorFor(host), now)
  for (const { id, email, language } of successors) {
    const mailed = await countHandOverMails(tx, host.id, id, new Date(now.getTime() - dayMs))
    if (mailed.toAccountOfHost || mailed.ofHost >= left || mailed.toAccount >= maxOfferMailsADay) continue
    const to = { baseUrl: config.baseUrl, to: email, language: emailLanguage(language) }
    const person = { name: `${host.name} ${host.lname}`.trim(), email: host.email }
    await queueEmail(tx, dependencies, handOverOfferedEmail({ ...to, host: person, expiresAt: endsAt }))
    await markMailed(tx, meetingId, id, now)
  }
  return true
}

/**
 * Make a cohost who has accepted the host of a meeting: code, PIN and link stay, the host key changes. The guests who
 * had mail about the meeting are mailed its new organizer (RFC 5546, 3.2.2.6), at the expense of the account that
 * offered it. Returns false when it has another host by now.
 */
export async function takeOverMeeting(
  tx: Tx,
  dependencies: Pick<ErasureDependencies, 'random' | 'encryption' | 'config'>,
  { meetingId, hostId, successor, now }: { meetingId: string; hostId: string; successor: Caller; now: Date },
): Promise<boolean> {
  if (!(await lockForNewHost(tx, meetingId, hostId))) return false
  const { accountId, addressKey } = successor
  await changeHost(tx, dependencies, { meetingId, hostId, newHostId: accountId, now })
  await deleteHandOvers(tx, meetingId)
  await tx.deleteFrom('participant').where('meetingId', '=', meetingId).where('emailKey', '=', addressKey).execute()
  // The successor is a guest no more; a later invitation has addresses of its own.
  await endReplyAddressesOf(tx, { meetingId, emailKey: addressKey })
  await tx.deleteFrom('guestDelivery').where('meetingId', '=', meetingId).where('emailKey', '=', addressKey).execute()
  const actor = serviceActorFor({ id: accountId }, hostId)
  for (const guest of await listNotifiedGuests(tx, meetingId)) {
    await queueResend(tx, dependencies, actor, { ...guest, meetingId, isRefusable: false, now })
  }
  return true
}
