import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { callerOf, isLive } from '../../access/credentials/credential-row.ts'
import { findSessions } from '../../access/credentials/session-store.ts'
import { readTokenOf } from '../../access/credentials/token-secret.ts'
import { trustsEveryAddress } from '../../access/trusted-address.ts'
import { type AccountRow, findAccount } from '../../accounts/account/account-store.ts'
import type { AccountsService } from '../../accounts/accounts-service.ts'
import type { KeptRequest } from './authorization-request-store.ts'

/** Whoever sits at the browser, and is signed in there. */
export type Visitor = {
  sessionId: string
  /** When they signed in. */
  signedInAt: Date
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
  const session = await database.selectFrom('session').select('createdAt').where('id', '=', row.id).executeTakeFirst()
  if (account === undefined || session === undefined) return undefined
  const credential = { kind: 'session', sessionId: row.id } as const
  const caller = callerOf(row, credential, trustsEveryAddress(config))
  return { sessionId: row.id, signedInAt: session.createdAt, caller, account }
}

/**
 * Whether a visitor has signed in, or chosen their account, for this very request: on its own pages, or elsewhere since
 * it came, as after creating an account, choosing a new password or signing in with the organisation's provider.
 * A request that somebody has taken up is theirs.
 */
export const isConfirmed = (kept: Pick<KeptRequest, 'accountId' | 'createdAt'>, { account, signedInAt }: Visitor) =>
  kept.accountId === null ? signedInAt > kept.createdAt : kept.accountId === account.id
