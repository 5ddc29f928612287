/** Why no passkey was made or used, as far as browsers tell. */
export type CeremonyError = 'cancelled' | 'known' | 'unfit' | 'failed'

/**
 * What the browser's own dialog has ended with; undefined for what is none of its errors. Browsers tell a cancelled dialog
 * and one that has run out of time alike, so that no page learns which keys somebody has (WebAuthn Level 3, 14.5.1).
 */
export function ceremonyErrorOf(error: unknown): CeremonyError | undefined {
  if (!(error instanceof Error)) return undefined
  const { cause } = error
  const { name } = cause instanceof Error ? cause : error
  switch (name) {
    case 'NotAllowedError':
    case 'AbortError':
      return 'cancelled'
    case 'InvalidStateError':
      return 'known'
    case 'ConstraintError':
    case 'NotSupportedError':
      return 'unfit'
    case 'SecurityError':
    case 'UnknownError':
      return 'failed'
    default:
      return undefined
  }
}
