import { listBlockedSenders } from '@parley/contract'
import type { Service } from '../../access/service.ts'
import { listBlocked } from './blocked-sender-store.ts'

type BlockedSender = Awaited<ReturnType<typeof listBlocked>>[number]

export const viewBlockedSender = ({ id, name, lname, email, blockedAt }: BlockedSender) => ({
  userId: id,
  name,
  lname,
  email,
  blockedOn: blockedAt.toISOString(),
})

/** List the senders whom the caller has blocked. */
export function serveListBlockedSenders({ serve }: Service) {
  serve(listBlockedSenders, {
    handle: async ({ caller, database }) => ({
      blockedSenders: (await listBlocked(database, caller.accountId)).map(viewBlockedSender),
    }),
  })
}
