import { blockSender } from '@parley/contract'
import type { Service } from '../../access/service.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { problem } from '../../platform/http/problem.ts'
import { requireMeetingId } from '../meeting-id.ts'
import { viewerOf } from '../view/meeting-viewer.ts'
import { findBlocked, findHostOfInvitation, insertBlock } from './blocked-sender-store.ts'
import { viewBlockedSender } from './list-blocked-senders.ts'

/**
 * Block the host of a meeting to which the caller is invited. The host is named by the meeting, so that the reply does
 * not reveal which accounts exist.
 */
export function serveBlockSender({ serve, clock, config }: Service) {
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
