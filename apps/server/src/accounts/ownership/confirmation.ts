import type { Endpoint } from '@parley/contract'
import type { HandlerContext } from '../../access/serve.ts'
import { requireDifferentFromEmail } from '../account/person-fields.ts'
import type { AccountsService } from '../accounts-service.ts'
import { tryPassword } from '../sign-in/try-password.ts'

/** What the reader of an emailed link proves in addition to it. */
export type Proof =
  | { kind: 'link' }
  /** They know the password of the sign-up: the same person. */
  | { kind: 'password'; password: string }
  /** They set a new password: another person may have signed up. */
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

/** The address and password that a link belongs to. */
type LinkedPassword = { email: string; emailKey: string; passwordHash: string | null; tokenHash: Buffer }

/**
 * Verify the proof before the link is consumed, and return the hash of a new password. A wrong password leaves the link
 * valid, and counts against the link, so that other people cannot lock the owner out.
 * @throws wrong_credentials, invalid_request, too_many_requests, unavailable
 */
export async function verifyProof(
  service: AccountsService,
  { proof, request: { address } }: Confirmation,
  { email, emailKey, passwordHash, tokenHash }: LinkedPassword,
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
      requireDifferentFromEmail(proof.newPassword, email)
      return service.passwords.hash(proof.newPassword, requester)
    }
  }
}
