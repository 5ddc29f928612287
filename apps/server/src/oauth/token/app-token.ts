import { readToken } from '../../access/credentials/token-secret.ts'
import { TokenRefusal } from './token-errors.ts'
import type { TokenKindOfApps } from './token-store.ts'

/**
 * What the `token` field of a form can be, told by its prefix, so that `token_type_hint` is not needed (RFC 7009, 2.1);
 * undefined for what is no token of apps. @throws TokenRefusal invalid_request when there is none
 */
export function readAppToken(text: string | undefined): { kind: TokenKindOfApps; hash: Buffer } | undefined {
  if (text === undefined) throw new TokenRefusal('invalid_request', 'token is missing.')
  const token = readToken(text)
  if (token?.kind !== 'oauthAccess' && token?.kind !== 'oauthRefresh') return undefined
  return { kind: token.kind, hash: token.hash }
}
