import { problems } from '@parley/contract'
import type { Language } from '@parley/rules/text/language'
import type { ProblemError } from '../../platform/http/problem.ts'
import type { PageError } from '../../server-pages/error-page.ts'
import { type AuthorizeErrorCode, authorizeErrors } from './authorize-error-codes.ts'
import { pageTexts } from './page-texts/in-language.ts'

export type AuthorizeErrorContext = {
  /** In whose event log it is written. */
  client: { appId: string; sandbox: boolean }
  /** What exactly was wrong, where that is more than the page says. */
  cause?: string
  wayOn?: { address: string; text: 'signIn' | 'switchAccount' }
}

/** Thrown where it is found, shown in one place. */
export class AuthorizeError extends Error {
  readonly code: AuthorizeErrorCode
  readonly context: AuthorizeErrorContext | undefined

  constructor(code: AuthorizeErrorCode, context?: AuthorizeErrorContext) {
    super(code)
    this.code = code
    this.context = context
  }
}

/** What an error of ours, or one of the server itself, says on a page. */
export function describeError(error: AuthorizeError | ProblemError, language: Language): PageError {
  const texts = pageTexts(language)
  if (error instanceof AuthorizeError) return { ...authorizeErrors[error.code], ...texts.errors[error.code] }
  const { status, title } = problems[error.code]
  const ours = status >= 500
  const { happened = title, ...rest } = ours ? texts.ours : texts.theirs
  const told = error.code === 'too_many_requests' ? (texts.tooMany.happened ?? happened) : happened
  return { status, ...rest, happened: told, fixer: ours ? 'administrator' : 'visitor' }
}
