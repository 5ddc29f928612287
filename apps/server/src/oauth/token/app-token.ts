import { readToken } from '../../access/credentials/token-secret.ts'
import { TokenRefusal } from './token-errors.ts'
import type { TokenKindOfApps } from './token-store.ts'

/**
 * Read the `token` field of a form. The prefix tells the kind, so that `token_type_hint` is not needed (RFC 7009, 2.1).
 * Undefined when it is not a token of an app. @throws TokenRefusal invalid_request when it is missing
 */
export function readAppToken(text: string | undefined): { kind: TokenKindOfApps; hash: Buffer } | undefined {
  if (text === undefined) throw new TokenRefusal('invalid_request', 'token is missing.', { isExact: true })
  const token = readToken(text)
  if (token?.kind !== 'oauthAccess' && token?.kind !== 'oauthRefresh') return undefined
  return { kind: token.kind, hash: token.hash }
}
