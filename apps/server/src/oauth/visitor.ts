import type { FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import { callerOf, isLive } from '../access/credential-row.ts'
import { findSessions } from '../access/session-store.ts'
import { readTokenOf } from '../access/token-secret.ts'
import { trustsEveryAddress } from '../access/trusted-address.ts'
import { type AccountRow, findAccount } from '../accounts/account-store.ts'
import type { AccountsService } from '../accounts/accounts-service.ts'

/** Whoever sits at the browser, and is signed in there. */
export type Visitor = {
  sessionId: string
  caller: Caller
  account: AccountRow
}

/**
 * Finds who is signed in at a browser, by the session cookie alone: a token in a header is a program's. Unlike an
 * endpoint it asks no Origin (oauth.md 6.8): every form of ours brings a token of its own (csrf.ts).
 */
export async function findVisitor(service: AccountsService, request: FastifyRequest): Promise<Visitor | undefined> {
  const { database, clock, config, sessionCookie } = service
  const sent = sessionCookie.read(request.headers.cookie)
  const tokenHash = sent === undefined ? undefined : readTokenOf('session', sent)
  if (tokenHash === undefined) return undefined
  const [row] = await findSessions(database, [tokenHash])
  if (row === undefined || !isLive(row, clock.now())) return undefined
  const account = await findAccount(database, row.account_id)
  const credential = { kind: 'session', sessionId: row.id } as const
  return account && { sessionId: row.id, caller: callerOf(row, credential, trustsEveryAddress(config)), account }
}
