import { problems } from '@parley/contract'
import type { Language } from '@parley/texts/languages'
import type { Client } from '../../oauth-apps/client-store.ts'
import type { ProblemError } from '../../platform/http/problem.ts'
import type { PageError } from '../../server-pages/error-page.ts'
import { type AuthorizeErrorCode, authorizeErrors } from './authorize-error-codes.ts'
import { pageTexts } from './page-texts/in-language.ts'

export type AuthorizeErrorContext = {
  /** The app whose event log records the error. */
  client: Pick<Client, 'appId' | 'sandbox' | 'registration' | 'clientId'>
  /** The exact cause, where it is more than the page says. */
  cause?: string
  wayOn?: { address: string; text: 'signIn' | 'switchAccount' }
}

/** An error of the authorization pages; the error handler of serve-pages.ts shows it. */
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

/** Describe an error for its page. */
export function describeError(error: AuthorizeError | ProblemError, language: Language): PageError {
  const texts = pageTexts(language)
  if (error instanceof AuthorizeError) return { ...authorizeErrors[error.code], ...texts.errors[error.code] }
  const { status, title } = problems[error.code]
  const isServerError = status >= 500
  const { happened = title, ...rest } = isServerError ? texts.ours : texts.theirs
  const description = error.code === 'too_many_requests' ? (texts.tooMany.happened ?? happened) : happened
  return { status, ...rest, happened: description, fixer: isServerError ? 'administrator' : 'visitor' }
}
