import type { OAuthClient } from '../../oauth-apps/client-store.ts'
import type { PageError } from '../../server-pages/error-page.ts'

/**
 * Errors of the authorization pages that are shown to the user, because there is no valid redirect URI to report them
 * to (RFC 6749, 4.1.2.1).
 */
export const authorizeErrors = {
  client_missing: { status: 400, fixer: 'developer' },
  client_ambiguous: { status: 400, fixer: 'developer' },
  client_unknown: { status: 400, fixer: 'developer' },
  redirect_uri_missing: { status: 400, fixer: 'developer' },
  redirect_uri_unknown: { status: 400, fixer: 'developer' },
  client_url_invalid: { status: 400, fixer: 'developer' },
  client_not_allowed: { status: 403, fixer: 'administrator' },
  client_document_invalid: { status: 400, fixer: 'developer' },
  client_under_review: { status: 403, fixer: 'administrator' },
  client_request_wrong: { status: 400, fixer: 'developer' },
  client_rejected: { status: 403, fixer: 'administrator' },
  app_suspended: { status: 403, fixer: 'administrator' },
  owner_inactive: { status: 403, fixer: 'administrator' },
  sandbox_only: { status: 403, fixer: 'developer' },
  sandbox_sign_in: { status: 403, fixer: 'visitor' },
  sandbox_request_wrong: { status: 400, fixer: 'developer' },
  form_refused: { status: 403, fixer: 'visitor' },
  form_incomplete: { status: 400, fixer: 'visitor' },
  request_over: { status: 400, fixer: 'visitor' },
} as const satisfies Record<string, Pick<PageError, 'status' | 'fixer'>>

export type AuthorizeErrorCode = keyof typeof authorizeErrors

export type AuthorizeErrorContext = {
  /** The app whose event log records the error. */
  client: Pick<OAuthClient, 'appId' | 'sandbox' | 'registration' | 'clientId'>
  /** The exact cause, where it is more than the page says. */
  cause?: string
  wayOn?: { address: string; text: 'signIn' | 'switchAccount' }
}

/** An error of the authorization pages; the error handler of authorization-pages.ts shows it. */
export class AuthorizeError extends Error {
  readonly code: AuthorizeErrorCode
  readonly context: AuthorizeErrorContext | undefined
  /** Shown on the page, for the developer of a client that has no event log. */
  readonly detail: string | undefined

  constructor(code: AuthorizeErrorCode, context?: AuthorizeErrorContext, detail?: string) {
    super(code)
    this.code = code
    this.context = context
    this.detail = detail
  }
}
