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
 * Read a developer's notes to the reviewers, as columns of the app; omitted fields are unchanged.
 * @throws invalid_app with all violations
 */
export function readReviewNotes({ scopeReasons, reviewNotes, answer }: Sent) {
  const violations = [
    ...validateNote('/reviewNotes', reviewNotes, maxReviewNotesLength),
    ...validateNote('/answer', answer, maxReviewAnswerLength),
    ...scopeNames.flatMap((scope) =>
      validateNote(`/scopeReasons/${scope}`, scopeReasons?.[scope], maxScopeReasonLength),
    ),
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

function validateNote(path: string, text: string | undefined, maxLength: number): Violation[] {
  const violation = text === undefined ? undefined : findPlainTextViolation(text, { maxLength, lines: true })
  const field = path.slice(1).replace('/', '.')
  return violation === undefined ? [] : [{ path, code: violation.code, message: `${field} ${violation.message}.` }]
}
