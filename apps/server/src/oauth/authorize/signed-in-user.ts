import type { Language } from '@parley/texts/languages'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { callerOf, isLive } from '../../access/credentials/credential-row.ts'
import { findSessions } from '../../access/credentials/session-store.ts'
import { readTokenOf } from '../../access/credentials/token-secret.ts'
import { trustsEveryAddress } from '../../access/trusted-address.ts'
import { type AccountRow, findAccount } from '../../accounts/account/account-store.ts'
import { emailLanguage } from '../../accounts/email-links/account-emails.ts'
import { fillHtml, type Html, html } from '../../platform/http/html.ts'
import { type TextsOf, unfilled } from '../../platform/texts.ts'
import type { Dependencies } from '../dependencies.ts'
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
 * Find the signed-in user by the session cookie alone; tokens in a header are for programs. Unlike API endpoints, pages
 * require no Origin, because each form carries a CSRF token (page-request.ts).
 */
export async function findSignedInUser(
  { database, clock, config, sessionCookie }: Dependencies,
  request: FastifyRequest,
): Promise<SignedInUser | undefined> {
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
  stored: Pick<StoredRequest, 'accountId' | 'createdAt'>,
  { account, signedInAt }: SignedInUser,
) => (stored.accountId === null ? signedInAt > stored.createdAt : stored.accountId === account.id)

/** Name the signed-in account in a sentence. */
export const signedInAs = (t: TextsOf<'oauth-pages'>, { account }: SignedInUser): Html =>
  fillHtml(t('signedInAs', unfilled), {
    name: html`<strong><bdi>${`${account.name} ${account.lname}`.trim()}</bdi></strong>`,
    email: html`<bdi>${account.email}</bdi>`,
  })

/** The language of the signed-in user's profile, else of the browser, else English. */
export const pageLanguage = (request: FastifyRequest, user?: Pick<SignedInUser, 'account'>): Language =>
  emailLanguage(user?.account.language, request.headers['accept-language'])
