import type { Config } from '../../platform/config/config.ts'

/** The relying party of passkeys (WebAuthn Level 3, 4): the host of BASE_URL, not the Host header. */
export type RelyingParty = { id: string; name: string; origin: string }

export const relyingPartyOf = ({ baseUrl }: Pick<Config, 'baseUrl'>): RelyingParty => ({
  id: new URL(baseUrl).hostname,
  name: 'Parley',
  origin: baseUrl,
})

/** EdDSA, ES256 and RS256 (RFC 9053): every authenticator supports one of them. */
export const algorithms = [-8, -7, -257]

/** The user handle (WebAuthn Level 3, 5.4.3): the account's id, which reveals nothing about the person. */
export const userHandleOf = (account: { id: string }): string =>
  Buffer.from(account.id.replaceAll('-', ''), 'hex').toString('base64url')
