import { findPlainTextViolation, lengthInCharacters } from '../text/plain-text.ts'
import type { Violation } from '../text/violation.ts'

/** Where an app stands (oauth.md 4): of a live app with a draft, where the draft stands. */
export type AppState = 'draft' | 'under_review' | 'approved' | 'rejected' | 'on_hold' | 'suspended'

export type AppStep = 'submit' | 'withdraw' | 'edit' | 'approve' | 'reject' | 'hold' | 'suspend' | 'resume' | 'delete'

/** `before`: the state in which it was suspended. What does not stand here cannot be done. */
const steps: Record<AppState, Partial<Record<AppStep, AppState | 'before' | 'deleted'>>> = {
  draft: { submit: 'under_review', edit: 'draft', suspend: 'suspended', delete: 'deleted' },
  under_review: {
    ...{ submit: 'under_review', withdraw: 'draft', edit: 'under_review' },
    ...{ approve: 'approved', reject: 'rejected', hold: 'on_hold', suspend: 'suspended', delete: 'deleted' },
  },
  // A change that needs a review makes a draft beside what is live.
  approved: { edit: 'draft', suspend: 'suspended', delete: 'deleted' },
  // Also unchanged: what was wrong may have been a page that did not answer.
  rejected: { submit: 'under_review', edit: 'rejected', suspend: 'suspended', delete: 'deleted' },
  // A reviewer may hold an app for a look of their own, and decide without its developer.
  on_hold: {
    ...{ submit: 'under_review', edit: 'on_hold', approve: 'approved', reject: 'rejected' },
    ...{ suspend: 'suspended', delete: 'deleted' },
  },
  suspended: { resume: 'before', delete: 'deleted' },
}

/** Where a step leads; undefined when it cannot be taken from there. */
export const stateAfter = (state: AppState, step: AppStep): AppState | 'before' | 'deleted' | undefined =>
  steps[state][step]

export const maxReasons = 20
export const maxReasonTextLength = 1_000
/** A field's name, or a pointer to one address of ten. */
const maxReasonFieldLength = 100

export type SentReason = { code?: string | undefined; field?: string | undefined; text?: string | undefined }

/**
 * Judges what a reviewer gives as reasons (oauth.md 6.3). The codes are the schema's to judge.
 * @param needed at least one: every decision but an approval
 */
export function validateReasons(reasons: readonly (SentReason | undefined)[], needed: boolean): Violation[] {
  if (reasons.length === 0 && needed) {
    return [{ path: '/reasons', code: 'too_few', message: 'reasons must hold at least one: its developer reads why.' }]
  }
  if (reasons.length > maxReasons) {
    return [{ path: '/reasons', code: 'too_many', message: `reasons must hold at most ${maxReasons}.` }]
  }
  return reasons.flatMap((reason, index) => (reason === undefined ? [] : validateReason(reason, index)))
}

function validateReason({ code, field = '', text = '' }: SentReason, index: number): Violation[] {
  const missing = code === 'other' && lengthInCharacters(text.trim()) === 0
  const textViolation = findPlainTextViolation(text, { maxLength: maxReasonTextLength, lines: true })
  const fieldViolation = findPlainTextViolation(field, { maxLength: maxReasonFieldLength })
  const tell = (name: string, fault: { code: string; message: string }): Violation => ({
    path: `/reasons/${index}/${name}`,
    code: fault.code,
    message: `reasons.${index}.${name} ${fault.message}.`,
  })
  return [
    ...(missing ? [tell('text', { code: 'required', message: 'must say what the reason is' })] : []),
    ...(textViolation ? [tell('text', textViolation)] : []),
    ...(fieldViolation ? [tell('field', fieldViolation)] : []),
  ]
}
