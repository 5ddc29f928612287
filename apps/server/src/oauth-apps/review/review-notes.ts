import {
  type AppRequest,
  maxReviewAnswerLength,
  maxReviewNotesLength,
  maxScopeReasonLength,
  type ScopeReasons,
  scopeNames,
} from '@parley/contract'
import { findPlainTextViolation } from '@parley/rules/text/plain-text'
import type { Violation } from '@parley/rules/text/violation'
import { problem } from '../../platform/http/problem.ts'

type Sent = Pick<AppRequest, 'scopeReasons' | 'reviewNotes'> & { answer?: string }

/**
 * What a developer tells the reviewers, as columns of the app; what was not sent stays as it is.
 * @throws invalid_app with all that is wrong
 */
export function readReviewNotes({ scopeReasons, reviewNotes, answer }: Sent) {
  const violations = [
    ...judge('/reviewNotes', reviewNotes, maxReviewNotesLength),
    ...judge('/answer', answer, maxReviewAnswerLength),
    ...scopeNames.flatMap((scope) => judge(`/scopeReasons/${scope}`, scopeReasons?.[scope], maxScopeReasonLength)),
  ]
  if (violations.length > 0) {
    throw problem('invalid_app', { detail: violations.map(({ message }) => message).join(' '), violations })
  }
  return {
    ...(reviewNotes !== undefined && { reviewNotes: reviewNotes.trim() }),
    ...(scopeReasons !== undefined && { scopeReasons: JSON.stringify(trimmed(scopeReasons)) }),
  }
}

const trimmed = (reasons: ScopeReasons): ScopeReasons =>
  Object.fromEntries(
    scopeNames.flatMap((scope) => {
      const text = reasons[scope]?.trim() ?? ''
      return text === '' ? [] : [[scope, text]]
    }),
  )

function judge(path: string, text: string | undefined, maxLength: number): Violation[] {
  const fault = text === undefined ? undefined : findPlainTextViolation(text, { maxLength, lines: true })
  const field = path.slice(1).replace('/', '.')
  return fault === undefined ? [] : [{ path, code: fault.code, message: `${field} ${fault.message}.` }]
}
