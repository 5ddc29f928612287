import { listHandOvers } from '@parley/contract'
import type { AccountsService } from '../accounts/accounts-service.ts'
import { listHandOverRows } from './hand-over-store.ts'

export function serveListHandOvers({ serve, clock }: AccountsService) {
  serve(listHandOvers, {
    handle: async ({ caller, database }) => {
      const rows = await listHandOverRows(database, caller, clock.now())
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
    },
  })
}
