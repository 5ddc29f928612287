import type { PageError } from '../../server-pages/error-page.ts'

/** Where the way to an app ends on a page of ours instead, because there is no address that one could be sent back to. */
export const authorizeErrors = {
  client_missing: { status: 400, fixer: 'developer' },
  client_ambiguous: { status: 400, fixer: 'developer' },
  client_unknown: { status: 400, fixer: 'developer' },
  redirect_uri_missing: { status: 400, fixer: 'developer' },
  redirect_uri_unknown: { status: 400, fixer: 'developer' },
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
