import type { Endpoint, ProblemCode } from '@parley/contract'
import { addressKey, isEmailAddress } from '@parley/rules/text/email-address'
import { networkOf } from '../../access/network.ts'
import type { HandlerContext } from '../../access/serve.ts'
import { isAddressTrusted } from '../../access/trusted-address.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { ProblemError, problem } from '../../platform/http/problem.ts'
import type { Tx } from '../../tables/tables.ts'
import { type AccountRow, findAccountByAddress, holdAccount, lockAccount } from '../account/account-store.ts'
import type { AccountsService } from '../accounts-service.ts'
import { requestLinkMail } from '../email-links/link-mail-job.ts'
import type { HashRequester } from '../password/password-hasher.ts'
import { beginSession } from '../sessions/begin-session.ts'
import { isKnownNetwork, networkHash } from '../sessions/known-network.ts'
import { noteRefusedSignIn } from './note-refused-sign-in.ts'
import { findPendingPerson } from './pending-sign-up.ts'
import { type Counter, requireAnotherSuccess, tryPassword } from './try-password.ts'

export type PasswordSignIn = {
  email: string
  password: string
  request: Pick<HandlerContext<Endpoint>['request'], 'address' | 'userAgent' | 'acceptLanguage'>
  now: Date
}

/**
 * Signs somebody in by address and password, and does `also` in the transaction that begins the session. An address
 * without an account is refused like a wrong password, in the same time; so is a disabled account. Where addresses have to
 * be confirmed, anybody can begin a sign-up with any address and a password of their own: that password is answered
 * `email_not_verified` whether or not the address has an account already.
 * @throws wrong_credentials, email_not_verified, too_many_requests, unavailable
 */
export async function signInWithPassword(
  service: AccountsService,
  { email, password, request, now }: PasswordSignIn,
  also: (tx: Tx, account: AccountRow) => Promise<void> = async () => {},
) {
  const { database, config } = service
  const isAddress = isEmailAddress(email)
  const key = addressKey(email)
  // What is no address shares the turns of all that is none.
  const requester = { address: request.address, addressKey: isAddress ? key : '' }
  await requireAnotherSuccess(service, requester)
  const [account, pending] = isAddress
    ? await Promise.all([findAccountByAddress(database, key), findPendingPerson(database, key, now)])
    : []
  const ofAccount = account?.passwordHash ?? undefined
  const ofSignUp = pending?.passwordHash
  // Always two comparisons where a sign-up may wait beside an account, so that the time does not tell which of them there is.
  const passwordHashes =
    config.emailVerification === 'required' ? [ofAccount, ofSignUp] : [account === undefined ? ofSignUp : ofAccount]
  const counters = await countersFor(service, key, account, request.address)
  const attempt = { password, passwordHashes, counters, requester }
  const { matched, outdated } = await tryPassword(service, attempt).catch(async (error) => {
    if (hasCode(error, 'wrong_credentials')) await noteRefusedSignIn(service, { account, email, request, now })
    throw error
  })
  if (account === undefined || matched !== 0 || !isAddressTrusted(account, config)) {
    await mailLinkAgain(service, key, request.acceptLanguage)
    throw problem('email_not_verified')
  }

  const newHash = outdated ? await hashAnew(service, password, requester) : undefined
  return inTransaction(database, async (tx) => {
    // Held, so that a password changed or an account disabled meanwhile leaves no session behind.
    const held = await (newHash === undefined ? holdAccount : lockAccount)(tx, account.id)
    if (held === undefined || held.disabledAt !== null || !samePassword(held, account)) {
      throw problem('wrong_credentials')
    }
    if (newHash !== undefined) {
      await tx.updateTable('account').set({ passwordHash: newHash }).where('id', '=', account.id).execute()
    }
    await also(tx, held)
    return beginSession(tx, service, held, { request, now, by: 'password' })
  })
}

const hasCode = (error: unknown, code: ProblemCode) => error instanceof ProblemError && error.code === code

/** A busy service makes the hash anew with the next sign-in. */
const hashAnew = ({ passwords }: AccountsService, password: string, requester: HashRequester) =>
  passwords.hash(password, requester).catch((error) => {
    if (hasCode(error, 'unavailable')) return undefined
    throw error
  })

async function mailLinkAgain({ attemptLimits, database }: AccountsService, email: string, acceptLanguage: string) {
  try {
    await attemptLimits.count('mailsToAddress', email)
  } catch (error) {
    // Enough links are on their way.
    if (error instanceof ProblemError) return
    throw error
  }
  await requestLinkMail(database, { email, link: 'verify-email', acceptLanguage })
}

/** Decision 0006. A new password starts the count anew: whoever can read the mail is never locked out. */
async function countersFor(
  { database, encryption }: AccountsService,
  key: string,
  account: AccountRow | undefined,
  address: string,
): Promise<Counter[]> {
  const network = networkHash(encryption, address)
  const countedAs = `${key} ${account?.passwordChangedAt?.getTime() ?? 0}`
  // Asked for nobody too, in the same time.
  if (await isKnownNetwork(database, account?.id ?? nobody, network)) {
    return [{ limit: 'failuresFromKnownNetwork', key: `${countedAs} ${network.toString('hex')}` }]
  }
  return [
    { limit: 'failuresFromElsewhere', key: countedAs },
    { limit: 'failuresOfNetwork', key: networkOf(address) },
  ]
}

const nobody = '00000000-0000-0000-0000-000000000000'

const samePassword = (one: AccountRow, other: AccountRow) =>
  one.passwordChangedAt?.getTime() === other.passwordChangedAt?.getTime()
