import { answerHandOver, listHandOvers } from '@parley/contract'
import { audit } from '../access/audit.ts'
import { type Caller, serviceActorFor } from '../access/caller.ts'
import { endReplyAddressesOf } from '../access/credentials/reply-addresses.ts'
import type { Dependencies } from '../accounts/dependencies.ts'
import { queueResend } from '../invitations/resend-invitation.ts'
import { listNotifiedGuests } from '../meetings/guest-mail-queue.ts'
import { type Database, inTransaction, type Tx } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'
import { changeHost, lockForNewHost } from './departing-host.ts'
import { queueErasure } from './erase-accounts.ts'
import { declineHandOver, deleteHandOvers, findHandOver, listHandOverRows } from './hand-over-store.ts'

/** Register the endpoints of meetings that deleted accounts hand over. */
export function registerHandOvers(dependencies: Dependencies): void {
  serveListHandOvers(dependencies)
  serveAnswerHandOver(dependencies)
}

function serveListHandOvers({ serve, clock }: Dependencies) {
  serve(listHandOvers, {
    handle: ({ caller, database }) => viewHandOvers(database, caller, clock.now()),
  })
}

/** The meetings that the caller is offered to host. */
export async function viewHandOvers(database: Database, caller: Caller, now: Date) {
  const rows = await listHandOverRows(database, caller, now)
  return {
    handOvers: rows.map(({ meetingId, topic, guests, ...row }) => ({
      meetingId,
      topic,
      host: { name: `${row.hostName} ${row.hostLname}`.trim(), email: row.hostEmail },
      guests: Number(guests),
      offeredOn: row.offeredAt.toISOString(),
      expiresOn: row.expiresAt.toISOString(),
    })),
  }
}

function serveAnswerHandOver(service: Dependencies) {
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

/**
 * Make a cohost who has accepted the host of a meeting: code, PIN and link stay, the host key changes. The guests who
 * had mail about the meeting are mailed its new organizer (RFC 5546, 3.2.2.6), at the expense of the account that
 * offered it. Return false when it has another host by now.
 */
async function takeOverMeeting(
  tx: Tx,
  dependencies: Pick<Dependencies, 'random' | 'encryption' | 'config'>,
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
