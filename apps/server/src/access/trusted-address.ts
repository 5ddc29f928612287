import type { Config } from '../platform/config/config.ts'
import type { Caller } from './caller.ts'

/**
 * Distinguish two properties. A *verified* address was proven by an emailed link or by the organisation's provider;
 * apps see only this, because other services link accounts by verified addresses (OpenID Connect Core 1.0, 5.7), and an
 * unproven claim would open another person's account there. A *trusted* address suffices for what its account may do
 * here: a verified one, or, with EMAIL_VERIFICATION=off, any.
 */
type Verification = Pick<Config, 'emailVerification'>
type AddressOwner = { emailVerifiedAt: Date | null }

export const isAddressVerified = ({ emailVerifiedAt }: AddressOwner): boolean => emailVerifiedAt !== null

export const trustsEveryAddress = ({ emailVerification }: Verification): boolean => emailVerification === 'off'

export const isAddressTrusted = (account: AddressOwner, config: Verification): boolean =>
  isAddressVerified(account) || trustsEveryAddress(config)

/**
 * Whether a reply may show the address of a person who was inside a room, if it is trusted but not verified. Replies to
 * apps may not.
 */
export const namesEveryAddress = (caller: Caller | undefined, config: Verification): boolean =>
  trustsEveryAddress(config) && caller?.credential.kind !== 'oauth'

/**
 * Whether participants with an unverified address are shown with their account. Only where the service cannot send mail
 * to verify addresses: otherwise a person could pose as a colleague by entering the colleague's address.
 */
export const namesUnverifiedParticipants = (config: Verification & Pick<Config, 'smtpUrl'>): boolean =>
  trustsEveryAddress(config) && config.smtpUrl === undefined
