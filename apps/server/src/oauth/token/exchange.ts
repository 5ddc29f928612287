import type { AuthenticatedClient } from './client-authentication.ts'
import type { TokenPair } from './token-pair.ts'

/** The client that exchanges a code or a refresh token, with the time and the id of the request. */
export type Exchange = { client: AuthenticatedClient; now: Date; requestId: string }

/** What is stored of new tokens besides their hashes; `expiresAt` is the access token's. */
export type IssuedTokens = { scopes: readonly string[]; expiresAt: Date }

export type Exchanged = IssuedTokens & { pair: TokenPair }
