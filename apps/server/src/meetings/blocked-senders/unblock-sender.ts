import { unblockSender } from '@parley/contract'
import type { Service } from '../../access/service.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import { viewerOf } from '../view/meeting-viewer.ts'
import { deleteBlock } from './blocked-sender-store.ts'

/** Unblock a sender. An account that is not blocked is answered like one that does not exist. */
export function serveUnblockSender({ serve, config }: Service) {
  serve(unblockSender, {
    handle: ({ caller, params: { userId }, database }) =>
      inTransaction(database, async (tx) => {
        const deleted = isUuid(userId) && (await deleteBlock(tx, viewerOf(caller, config), userId))
        if (!deleted) throw problem('sender_not_blocked')
        return { status: 'This sender is no longer blocked.' }
      }),
  })
}
