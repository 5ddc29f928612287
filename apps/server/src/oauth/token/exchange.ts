import type { AuthenticatedClient } from './client-authentication.ts'
import type { TokenPair } from './token-pair.ts'

/** Who exchanges something for tokens, when, and in which request. */
export type Exchange = { client: AuthenticatedClient; now: Date; requestId: string }

/** What is kept of new tokens beside their hashes; `expiresAt` is the access token's. */
export type IssuedTokens = { scopes: readonly string[]; expiresAt: Date }

export type Exchanged = IssuedTokens & { pair: TokenPair }
