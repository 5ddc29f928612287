import {
  type AppRequest,
  maxReviewAnswerLength,
  maxReviewNotesLength,
  maxScopeReasonLength,
  type ScopeReasons,
  scopeNames,
} from '@parley/contract'
import { readPlainText } from '@parley/rules/text/plain-text'
import { collect, combine, readOptional } from '@parley/rules/text/reading'
import { requireValid } from '../invalid-app.ts'

type Sent = Pick<AppRequest, 'scopeReasons' | 'reviewNotes'> & { answer?: string }

/**
 * Read a developer's notes to the reviewers, as columns of the app; omitted fields are unchanged.
 * @throws invalid_app with all violations
 */
export function readReviewNotes({ scopeReasons, reviewNotes, answer }: Sent) {
  requireValid(
    combine({
      reviewNotes: readNote('/reviewNotes', reviewNotes, maxReviewNotesLength),
      answer: readNote('/answer', answer, maxReviewAnswerLength),
      scopeReasons: collect(
        scopeNames.map((scope) => readNote(`/scopeReasons/${scope}`, scopeReasons?.[scope], maxScopeReasonLength)),
      ),
    }),
  )
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

const readNote = (path: string, text: string | undefined, maxLength: number) =>
  readOptional(text, (note) => readPlainText(path, note, { maxLength, lines: true }))
