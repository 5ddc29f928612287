import { type TokenSecret, tokenOf } from '../../access/credentials/token-secret.ts'
import type { Encryption } from '../../platform/encryption.ts'
import type { Random } from '../../platform/random.ts'

export type TokenPair = { access: TokenSecret; refresh: TokenSecret }

/** Generate the first pair of a family. */
export const newPair = (random: Random): TokenPair => ({
  access: tokenOf('oauthAccess', random.bytes(32)),
  refresh: tokenOf('oauthRefresh', random.bytes(32)),
})

/**
 * Derive the pair that follows a refresh token: HMACs of it under our secret key. A client that repeats a lost request
 * gets the same pair, although only hashes are stored; a stolen token reveals nothing without the key.
 */
export const succeedingPair = (refreshToken: string, encryption: Encryption): TokenPair => ({
  access: tokenOf('oauthAccess', encryption.mac('access token after refresh token', refreshToken)),
  refresh: tokenOf('oauthRefresh', encryption.mac('refresh token after refresh token', refreshToken)),
})
