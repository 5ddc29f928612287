import { problems } from '@parley/contract'
import type { Language } from '@parley/texts/languages'
import type { ProblemError } from '../../platform/http/problem.ts'
import { textsIn } from '../../platform/texts.ts'
import type { NextAction, PageError } from '../../server-pages/error-page.ts'
import { AuthorizeError, type AuthorizeErrorContext, authorizeErrors } from './authorize-error.ts'

/** Describe an error for its page. */
export function describeError(error: AuthorizeError | ProblemError, language: Language): PageError {
  const t = textsIn(language, 'oauth-pages')
  if (error instanceof AuthorizeError) {
    const { code } = error
    return {
      ...authorizeErrors[code],
      title: t(`errors.${code}.title`),
      happened: t(`errors.${code}.happened`),
      advice: t(`errors.${code}.advice`),
    }
  }
  const { status, title } = problems[error.code]
  const side = status >= 500 ? 'ours' : 'theirs'
  const cause = error.code === 'too_many_requests' ? 'tooMany' : side
  return {
    status,
    title: t(`${side}.title`),
    // The problem's own title says more, but exists in English only.
    happened: language === 'en' ? title : t(`${cause}.happened`),
    advice: t(`${side}.advice`),
    fixer: side === 'ours' ? 'administrator' : 'visitor',
  }
}

/** The way on that the page of an error offers. */
export function nextActionOf(context: AuthorizeErrorContext | undefined, language: Language): NextAction | undefined {
  if (context?.wayOn === undefined) return undefined
  const { address, text } = context.wayOn
  return {
    address,
    text:
      text === 'signIn' ? textsIn(language, 'sign-in')('signIn') : textsIn(language, 'oauth-pages')('switchAccount'),
  }
}
