import type { Config } from '../platform/config/config.ts'
import type { Caller } from './caller.ts'

/**
 * Two notions (docs/decisions/0024). A *verified* address was proven, by a mailed link or by the organisation's provider:
 * this alone is what apps are told. A *trusted* address is enough for what its account may do here: a verified one, or,
 * with EMAIL_VERIFICATION=off, any.
 */
type Verification = Pick<Config, 'emailVerification'>
type AddressOwner = { emailVerifiedAt: Date | null }

export const isAddressVerified = ({ emailVerifiedAt }: AddressOwner): boolean => emailVerifiedAt !== null

export const trustsEveryAddress = ({ emailVerification }: Verification): boolean => emailVerification === 'off'

export const isAddressTrusted = (account: AddressOwner, config: Verification): boolean =>
  isAddressVerified(account) || trustsEveryAddress(config)

/** Whether a reply may name the account behind an address that is trusted and not verified: not in a reply to an app. */
export const namesEveryAddress = (caller: Caller | undefined, config: Verification): boolean =>
  trustsEveryAddress(config) && caller?.credential.kind !== 'oauth'
