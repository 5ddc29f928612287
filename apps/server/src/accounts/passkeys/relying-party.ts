import type { Config } from '../../platform/config/config.ts'

/** Whom passkeys are made for (WebAuthn, 4): the host of BASE_URL. A request's Host says nothing. */
export type RelyingParty = { id: string; name: string; origin: string }

export const relyingPartyOf = ({ baseUrl }: Pick<Config, 'baseUrl'>): RelyingParty => ({
  id: new URL(baseUrl).hostname,
  name: 'Parley',
  origin: baseUrl,
})

/** EdDSA, ES256 and RS256 (RFC 9053): between them, every authenticator knows one. */
export const algorithms = [-8, -7, -257]

/** What an authenticator keeps to know whom a passkey is for: the account's id, which says nothing about the person. */
export const userHandleOf = (account: { id: string }): string =>
  Buffer.from(account.id.replaceAll('-', ''), 'hex').toString('base64url')
