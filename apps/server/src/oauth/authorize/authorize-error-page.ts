import { problems, signInTexts } from '@parley/contract'
import type { Language } from '@parley/texts/languages'
import type { ProblemError } from '../../platform/http/problem.ts'
import type { NextAction, PageError } from '../../server-pages/error-page.ts'
import { AuthorizeError, type AuthorizeErrorContext, authorizeErrors } from './authorize-error.ts'
import { pageTexts } from './page-texts/in-language.ts'

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

/** The way on that the page of an error offers. */
export function nextActionOf(context: AuthorizeErrorContext | undefined, language: Language): NextAction | undefined {
  if (context?.wayOn === undefined) return undefined
  const { address, text } = context.wayOn
  return { address, text: text === 'signIn' ? signInTexts.signIn[language] : pageTexts(language).switchAccount }
}
