import { type Endpoint, type ProblemCode, signIn } from '@parley/contract'
import { addressKey, isEmailAddress } from '@parley/rules/text/email-address'
import { networkOf } from '../access/network.ts'
import type { HandlerContext } from '../access/serve.ts'
import { isAddressTrusted } from '../access/trusted-address.ts'
import { type Database, inTransaction, type Tx } from '../platform/database/database.ts'
import { ProblemError, problem } from '../platform/http/problem.ts'
import {
  type AccountRow,
  findAccountByAddress,
  hasSamePassword,
  lockAccount,
  lockAccountForShare,
} from './account/account-store.ts'
import type { Dependencies } from './dependencies.ts'
import { queueLinkEmail } from './email-links/mailed-links.ts'
import { type Counter, requireSuccessLeft, tryPassword } from './password-checks.ts'
import type { HashRequester } from './password-hasher.ts'
import { isKnownNetwork, networkHash } from './sessions/known-network-store.ts'
import { beginSession } from './sessions/sessions.ts'
import { findPendingPerson } from './sign-up.ts'

export function registerSignIn(service: Dependencies) {
  const { serve, clock, sessionCookie } = service
  serve(signIn, {
    handle: async ({ body, request, answer, database }) => {
      const { email, password } = body
      const session = await signInWithPassword(database, service, { email, password, request, now: clock.now() })
      answer.header('set-cookie', sessionCookie.set(session.token))
      return session
    },
  })
}

type PasswordSignIn = {
  email: string
  password: string
  request: Pick<HandlerContext<Endpoint>['request'], 'address' | 'userAgent' | 'acceptLanguage'>
  now: Date
}

/**
 * Sign in by address and password, and run `onSignIn` in the transaction that begins the session. Unknown addresses and
 * disabled accounts are refused like a wrong password, in the same time. Where verification is required, anyone can
 * begin a sign-up with any address and their own password: that password gets `email_not_verified` whether or not the
 * address has an account.
 * @throws wrong_credentials, email_not_verified, too_many_requests, unavailable
 */
export async function signInWithPassword(
  database: Database,
  service: Dependencies,
  signIn: PasswordSignIn,
  onSignIn: (tx: Tx, account: AccountRow) => Promise<void> = async () => {},
) {
  const { email, request } = signIn
  // Malformed addresses share one group of the password hasher.
  const requester = { address: request.address, addressKey: isEmailAddress(email) ? addressKey(email) : '' }
  return service.passwords.attempt(requester, () => tryToSignIn(database, service, { ...signIn, requester }, onSignIn))
}

async function tryToSignIn(
  database: Database,
  service: Dependencies,
  { email, password, request, requester, now }: PasswordSignIn & { requester: HashRequester },
  onSignIn: (tx: Tx, account: AccountRow) => Promise<void>,
) {
  const { config } = service
  const isAddress = isEmailAddress(email)
  const key = addressKey(email)
  await requireSuccessLeft(service, requester)
  const [account, pending] = isAddress
    ? await Promise.all([findAccountByAddress(database, key), findPendingPerson(database, key, now)])
    : []
  const ofAccount = account?.passwordHash ?? undefined
  const ofSignUp = pending?.passwordHash
  // Always two comparisons where a sign-up may wait beside an account, so that the time does not reveal which exist.
  const passwordHashes =
    config.emailVerification === 'required' ? [ofAccount, ofSignUp] : [account === undefined ? ofSignUp : ofAccount]
  const counters = await countersFor(database, service, key, account, request.address)
  const attempt = { password, passwordHashes, counters, requester }
  const { matchedIndex, outdated } = await tryPassword(service, attempt).catch(async (error) => {
    if (hasCode(error, 'wrong_credentials'))
      await service.refusedAttempts.recordSignIn({ account, email, request, now })
    throw error
  })
  if (account === undefined || matchedIndex !== 0 || !isAddressTrusted(account, config)) {
    await emailLinkAgain(database, service, key, request.acceptLanguage)
    throw problem('email_not_verified')
  }

  const newHash = outdated ? await rehashPassword(service, password, requester) : undefined
  return inTransaction(database, async (tx) => {
    // Locked, so that a concurrent change of the password or the status leaves no session behind.
    const lockedAccount = await (newHash === undefined ? lockAccountForShare : lockAccount)(tx, account.id)
    if (lockedAccount === undefined || lockedAccount.disabledAt !== null || !hasSamePassword(lockedAccount, account)) {
      throw problem('wrong_credentials')
    }
    if (newHash !== undefined) {
      await tx.updateTable('account').set({ passwordHash: newHash }).where('id', '=', account.id).execute()
    }
    await onSignIn(tx, lockedAccount)
    return beginSession(tx, service, lockedAccount, { request, now, by: 'password' })
  })
}

const hasCode = (error: unknown, code: ProblemCode) => error instanceof ProblemError && error.code === code

/** Renew an outdated hash; a busy service leaves that to the next sign-in. */
const rehashPassword = ({ passwords }: Dependencies, password: string, requester: HashRequester) =>
  passwords.hash(password, requester).catch((error) => {
    if (hasCode(error, 'unavailable')) return undefined
    throw error
  })

async function emailLinkAgain(
  database: Database,
  { attemptLimits }: Dependencies,
  email: string,
  acceptLanguage: string,
) {
  if (await attemptLimits.maySendTo(email))
    await queueLinkEmail(database, { email, link: 'verify-email', acceptLanguage })
}

/**
 * Choose the counters of failures (docs/decisions/0006). A new password resets the count, so that a person who can read
 * the address's email is never locked out.
 */
async function countersFor(
  database: Database,
  { encryption }: Dependencies,
  key: string,
  account: AccountRow | undefined,
  address: string,
): Promise<Counter[]> {
  const network = networkHash(encryption, address)
  const countedAs = `${key} ${account?.passwordChangedAt?.getTime() ?? 0}`
  // Also queried without an account, so that the time is the same.
  if (await isKnownNetwork(database, account?.id ?? absentAccountId, network)) {
    return [{ limit: 'failuresFromKnownNetwork', key: `${countedAs} ${network.toString('hex')}` }]
  }
  return [
    { limit: 'failuresFromElsewhere', key: countedAs },
    { limit: 'failuresOfNetwork', key: networkOf(address) },
  ]
}

const absentAccountId = '00000000-0000-0000-0000-000000000000'
