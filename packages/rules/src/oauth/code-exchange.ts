import { findGrantRefusal, type GrantRefusal, type GrantStatus, temporarilyUnavailable } from './grant-status.ts'
import { isFor, type Resource } from './resource.ts'

export type FoundCode = GrantStatus & {
  ofThisClient: boolean
  redirectUri: string
  codeChallenge: string | null
  /** Null when the authorization request named none. */
  resource: Resource | null
  expiresAt: Date
  usedAt: Date | null
}

type CodePresentation = {
  redirectUri: string | undefined
  /**
   * The S256 challenge of the verifier; `mismatch` for a verifier that can match nothing; undefined when none was sent.
   */
  challenge: string | 'mismatch' | undefined
  resource: Resource | undefined
}

type FailedExchange = { kind: 'replay'; cause: string } | ({ kind: 'refused' } & GrantRefusal)

/**
 * Classify why a code was not exchanged (RFC 6749, 4.1.2 and 5.2). `replay`: it was used before, and the tokens of its
 * first use must be revoked. A code that another client presents stays valid.
 */
export function classifyFailedExchange(
  code: FoundCode | undefined,
  { redirectUri, challenge, resource }: CodePresentation,
  now: Date,
): FailedExchange {
  if (code === undefined) return refuse('There is no such code.')
  if (!code.ofThisClient) return refuse('The code was issued to another client.')
  if (code.usedAt !== null) return { kind: 'replay', cause: 'The code was used a second time; its tokens were ended.' }
  if (code.expiresAt <= now) return refuse('The code has expired.')
  if (redirectUri !== undefined && redirectUri !== code.redirectUri) {
    return refuse('The redirect_uri is not the one of the authorization request.')
  }
  if (code.codeChallenge === null && challenge !== undefined) {
    const cause = 'There is a code_verifier, but the authorization request had no code_challenge.'
    return { kind: 'refused', error: 'invalid_request', cause }
  }
  if (code.codeChallenge !== null && challenge === undefined) return refuse('The code_verifier is missing.')
  if (code.codeChallenge !== null && challenge === 'mismatch') {
    return refuse('The code_verifier is malformed: it has 43 to 128 of the characters A-Z a-z 0-9 - . _ ~')
  }
  if (code.codeChallenge !== null && challenge !== code.codeChallenge) {
    return refuse('The code_verifier does not match the code_challenge.')
  }
  if (resource !== undefined && !isFor(code.resource, resource)) {
    return {
      kind: 'refused',
      error: 'invalid_target',
      cause: 'The resource is not the one of the authorization request.',
    }
  }
  return { kind: 'refused', ...(findGrantRefusal(code, now) ?? temporarilyUnavailable) }
}

/** RFC 7636, 4.1: 43 to 128 unreserved characters; anything else matches no challenge. */
export const isCodeVerifier = (text: string): boolean => /^[A-Za-z0-9._~-]{43,128}$/.test(text)

const refuse = (cause: string) => ({ kind: 'refused', error: 'invalid_grant', cause }) as const
