import { blockSender, listBlockedSenders, unblockSender } from '@parley/contract'
import { inTransaction } from '../platform/database/database.ts'
import { isUuid } from '../platform/database/uuid.ts'
import { problem } from '../platform/http/problem.ts'
import { deleteBlock, findBlocked, findHostOfInvitation, insertBlock, listBlocked } from './blocked-sender-store.ts'
import type { Dependencies } from './dependencies.ts'
import { requireMeetingId, viewerOf } from './meeting-access.ts'

/** Register the endpoints of blocked senders. */
export function registerBlockedSenders(dependencies: Dependencies): void {
  serveBlockSender(dependencies)
  serveListBlockedSenders(dependencies)
  serveUnblockSender(dependencies)
}

/**
 * Block the host of a meeting to which the caller is invited. The host is named by the meeting, so that the reply does
 * not reveal which accounts exist.
 */
function serveBlockSender({ serve, clock, config }: Dependencies) {
  serve(blockSender, {
    handle: ({ caller, body: { meetingId }, database }) =>
      inTransaction(database, async (tx) => {
        const blocker = viewerOf(caller, config)
        const { accountId } = blocker
        const found = await findHostOfInvitation(tx, blocker, requireMeetingId(meetingId))
        if (found === undefined) throw problem('meeting_not_found')
        if (found.hostId === accountId) throw problem('forbidden', { detail: 'You host this meeting yourself.' })
        const inserted = await insertBlock(tx, blocker, { hostId: found.hostId, now: clock.now() })
        const blocked = inserted ? await findBlocked(tx, accountId, found.hostId) : undefined
        if (blocked === undefined) throw problem('too_many_blocked')
        return viewBlockedSender(blocked)
      }),
  })
}

type BlockedSender = Awaited<ReturnType<typeof listBlocked>>[number]

const viewBlockedSender = ({ id, name, lname, email, blockedAt }: BlockedSender) => ({
  userId: id,
  name,
  lname,
  email,
  blockedOn: blockedAt.toISOString(),
})

/** List the senders whom the caller has blocked. */
function serveListBlockedSenders({ serve }: Dependencies) {
  serve(listBlockedSenders, {
    handle: async ({ caller, database }) => ({
      blockedSenders: (await listBlocked(database, caller.accountId)).map(viewBlockedSender),
    }),
  })
}

/** Unblock a sender. The reply for an account that is not blocked is the same as for an account that does not exist. */
function serveUnblockSender({ serve, config }: Dependencies) {
  serve(unblockSender, {
    handle: ({ caller, params: { userId }, database }) =>
      inTransaction(database, async (tx) => {
        const deleted = isUuid(userId) && (await deleteBlock(tx, viewerOf(caller, config), userId))
        if (!deleted) throw problem('sender_not_blocked')
        return { status: 'This sender is no longer blocked.' }
      }),
  })
}
