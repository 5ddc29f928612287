import { createEmbedTicket, redeemEmbedTicket } from '@parley/contract'
import { embedSessionMs, embedTicketMs, findTicketRefusal, scopesInFrame } from '@parley/rules/oauth/embed-ticket'
import { after } from '@parley/rules/oauth/lifetimes'
import { newToken, readTokenOf } from '../../access/credentials/token-secret.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { problem, tooManyRequests } from '../../platform/http/problem.ts'
import type { Dependencies } from '../dependencies.ts'
import { insertRoomToken, insertTicket, spendTicket } from './embed-ticket-store.ts'

/** Tickets of one sign-in that wait to be used: a page shows one meeting, and people open several. */
const maxWaitingTickets = 30

/**
 * Register the tickets of embedded meetings (docs/embedding.md). An app gets a ticket with its user's token, and its
 * page hands it to the frame, which exchanges it for a token of its own. The frame therefore needs no cookie, which
 * browsers keep from frames of other sites, and no token of the app.
 */
export function registerEmbedTickets(dependencies: Dependencies): void {
  const { serve, clock, random, refusalLog } = dependencies

  serve(createEmbedTicket, {
    handle: async ({ caller: { credential }, params: { svcMeetId }, database }) => {
      if (credential.kind !== 'oauth' || credential.familyId === null) throw problem('app_token_required')
      const now = clock.now()
      const { token: ticket, hash: ticketHash } = newToken('embedTicket', random)
      const expiresAt = after(now, embedTicketMs)
      const scopes = scopesInFrame(credential.scopes)
      const { familyId } = credential
      const stored = { ticketHash, familyId, roomCode: svcMeetId, scopes, now, expiresAt }
      const clientId = await insertTicket(database, stored, maxWaitingTickets)
      if (clientId === undefined) throw tooManyRequests(embedTicketMs)
      return { ticket, expiresOn: expiresAt.toISOString(), clientId }
    },
  })

  serve(redeemEmbedTicket, {
    handle: async ({ params: { svcMeetId }, body: { ticket, clientId, origin }, request, database }) => {
      const hash = readTokenOf('embedTicket', ticket)
      if (hash === undefined) throw problem('embed_ticket_refused')
      const now = clock.now()
      const { token, hash: tokenHash } = newToken('oauthAccess', random)
      const redeemed = await inTransaction(database, async (tx) => {
        const spent = await spendTicket(tx, hash, now)
        if (spent === undefined) return undefined
        const { familyId, scopes, grantExpiresAt } = spent
        const cause = findTicketRefusal(spent, { svcMeetId, clientId, origin }, now)
        if (cause !== undefined) return { ...spent, cause }
        const expiresAt = new Date(Math.min(after(now, embedSessionMs).getTime(), grantExpiresAt.getTime()))
        await insertRoomToken(tx, { tokenHash, familyId, roomCode: svcMeetId, scopes, createdAt: now, expiresAt })
        return { ...spent, cause, expiresAt }
      })
      if (redeemed === undefined) throw problem('embed_ticket_refused')
      const { appId, sandbox, cause, name, lname, expiresAt } = redeemed
      if (cause !== undefined) {
        refusalLog.record({ appId, sandbox, kind: 'embed_refused', cause, requestId: request.id, now })
        throw problem('embed_ticket_refused')
      }
      return { token, expiresOn: expiresAt.toISOString(), name: `${name} ${lname}`.trim() }
    },
  })
}
