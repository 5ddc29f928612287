import type { Endpoint } from '@parley/contract'
import type { HandlerContext } from '../../access/serve.ts'
import { invalidRequest } from '../../platform/http/problem.ts'
import { validateNewPassword } from '../account/field-checks.ts'
import type { AccountsService } from '../accounts-service.ts'
import { tryPassword } from '../sign-in/try-password.ts'

/** What whoever opens a mailed link shows beside it. */
export type Proof =
  | { kind: 'link' }
  /** They know the password that was chosen at sign-up: it is the same person. */
  | { kind: 'password'; password: string }
  /** They do not, and choose one: whoever signed up may be another person. */
  | { kind: 'new-password'; newPassword: string }

export type Confirmation = {
  proof: Proof
  request: Pick<HandlerContext<Endpoint>['request'], 'address' | 'userAgent' | 'acceptLanguage' | 'session'>
  now: Date
}

export function proofOf(sent: { password: string | undefined; newPassword: string | undefined }): Proof {
  if (sent.newPassword !== undefined) return { kind: 'new-password', newPassword: sent.newPassword }
  return sent.password === undefined ? { kind: 'link' } : { kind: 'password', password: sent.password }
}

/** The password that a link was mailed for, with its address. */
type Chosen = { email: string; emailKey: string; passwordHash: string | null; tokenHash: Buffer }

/**
 * Check what was sent beside a link before the link is used, and give the hash of a new password. A wrong password leaves
 * the link as it is, and is counted for the link, so that nobody can be locked out of theirs.
 * @throws wrong_credentials, invalid_request, too_many_requests, unavailable
 */
export async function checkProof(
  service: AccountsService,
  { proof, request: { address } }: Confirmation,
  { email, emailKey, passwordHash, tokenHash }: Chosen,
): Promise<string | undefined> {
  const requester = { address, addressKey: emailKey }
  switch (proof.kind) {
    case 'link':
      return undefined
    case 'password': {
      const counters = [{ limit: 'failuresFromKnownNetwork', key: `confirm ${tokenHash.toString('hex')}` } as const]
      const passwordHashes = [passwordHash ?? undefined]
      await tryPassword(service, { password: proof.password, passwordHashes, counters, requester })
      return undefined
    }
    case 'new-password': {
      const violations = validateNewPassword('newPassword', proof.newPassword, email)
      if (violations.length > 0) throw invalidRequest(violations)
      return service.passwords.hash(proof.newPassword, requester)
    }
  }
}
