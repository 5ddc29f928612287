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
