import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { callerOf, isLive } from '../../access/credentials/credential-row.ts'
import { findSessions } from '../../access/credentials/session-store.ts'
import { readTokenOf } from '../../access/credentials/token-secret.ts'
import type { WithDatabase } from '../../access/service.ts'
import { trustsEveryAddress } from '../../access/trusted-address.ts'
import { type AccountRow, findAccount } from '../../accounts/account/account-store.ts'
import type { Dependencies as AccountsService } from '../../accounts/dependencies.ts'
import type { StoredRequest } from './authorization-request-store.ts'

/** The signed-in user of a browser. */
export type SignedInUser = {
  sessionId: string
  /** When the session began. */
  signedInAt: Date
  caller: Caller
  account: AccountRow
}

/**
 * Find the signed-in user by the session cookie alone; tokens in a header are for programs. Unlike API endpoints it
 * requires no Origin, because each form carries a CSRF token (csrf.ts).
 */
export async function findSignedInUser(
  service: WithDatabase<AccountsService>,
  request: FastifyRequest,
): Promise<SignedInUser | undefined> {
  const { database, clock, config, sessionCookie } = service
  const sent = sessionCookie.read(request.headers.cookie)
  const tokenHash = sent === undefined ? undefined : readTokenOf('session', sent)
  if (tokenHash === undefined) return undefined
  const [row] = await findSessions(database, [tokenHash])
  if (row === undefined || !isLive(row, clock.now())) return undefined
  const account = await findAccount(database, row.accountId)
  const session = await database.selectFrom('session').select('createdAt').where('id', '=', row.id).executeTakeFirst()
  if (account === undefined || session === undefined) return undefined
  const credential = { kind: 'session', sessionId: row.id } as const
  const caller = callerOf(row, credential, trustsEveryAddress(config))
  return { sessionId: row.id, signedInAt: session.createdAt, caller, account }
}

/**
 * Whether a user has signed in, or chosen their account, for this request: on its own pages, or elsewhere since it
 * was stored, such as after creating an account, resetting a password or signing in with the organisation's provider. A
 * confirmed request belongs to its account.
 */
export const isConfirmed = (
  kept: Pick<StoredRequest, 'accountId' | 'createdAt'>,
  { account, signedInAt }: SignedInUser,
) => (kept.accountId === null ? signedInAt > kept.createdAt : kept.accountId === account.id)
