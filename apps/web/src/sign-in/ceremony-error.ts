/** Why a WebAuthn ceremony failed, as far as browsers tell. */
type CeremonyError = 'cancelled' | 'known' | 'unfit' | 'failed'

/**
 * Classify an error of the browser's dialog; undefined for other errors. Browsers do not distinguish a cancelled dialog
 * from a timeout, so that pages cannot learn which passkeys exist (WebAuthn Level 3, 14.5.1).
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
