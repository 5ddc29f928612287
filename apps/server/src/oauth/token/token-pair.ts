import { type TokenSecret, tokenOf } from '../../access/credentials/token-secret.ts'
import type { Encryption } from '../../platform/encryption.ts'
import type { Random } from '../../platform/random.ts'

export type TokenPair = { access: TokenSecret; refresh: TokenSecret }

/** The first pair of a family. */
export const newPair = (random: Random): TokenPair => ({
  access: tokenOf('oauthAccess', random.bytes(32)),
  refresh: tokenOf('oauthRefresh', random.bytes(32)),
})

/**
 * The pair that a refresh token is exchanged for: HMACs of it under our secret key. Whoever holds the token and asks again
 * gets the same, though nothing but hashes is kept; whoever stole it learns nothing without the key (oauth.md 3.6).
 */
export const succeedingPair = (refreshToken: string, encryption: Encryption): TokenPair => ({
  access: tokenOf('oauthAccess', encryption.mac('access token after refresh token', refreshToken)),
  refresh: tokenOf('oauthRefresh', encryption.mac('refresh token after refresh token', refreshToken)),
})
