import { findPlainTextViolation, lengthInCharacters } from '../text/plain-text.ts'
import type { Violation } from '../text/violation.ts'

/** The status of an app (docs/oauth.md, "Review"). For a live app with a draft it is the draft's status. */
export type AppState = 'draft' | 'under_review' | 'approved' | 'rejected' | 'on_hold' | 'suspended'

export type AppStep = 'submit' | 'withdraw' | 'edit' | 'approve' | 'reject' | 'hold' | 'suspend' | 'resume' | 'delete'

/** `before`: the state in which it was suspended. A step that is missing here is not allowed. */
const steps: Record<AppState, Partial<Record<AppStep, AppState | 'before' | 'deleted'>>> = {
  draft: { submit: 'under_review', edit: 'draft', suspend: 'suspended', delete: 'deleted' },
  under_review: {
    submit: 'under_review',
    withdraw: 'draft',
    edit: 'under_review',
    approve: 'approved',
    reject: 'rejected',
    hold: 'on_hold',
    suspend: 'suspended',
    delete: 'deleted',
  },
  // An edit that needs a review creates a draft beside the live revision.
  approved: { edit: 'draft', suspend: 'suspended', delete: 'deleted' },
  // May be resubmitted unchanged: the reason may have been a page that did not respond.
  rejected: { submit: 'under_review', edit: 'rejected', suspend: 'suspended', delete: 'deleted' },
  // A reviewer may put an app on hold to examine it, and decide without the developer.
  on_hold: {
    submit: 'under_review',
    edit: 'on_hold',
    approve: 'approved',
    reject: 'rejected',
    suspend: 'suspended',
    delete: 'deleted',
  },
  suspended: { resume: 'before', delete: 'deleted' },
}

/** The state after a step; undefined when the step is not allowed. */
export const stateAfter = (state: AppState, step: AppStep): AppState | 'before' | 'deleted' | undefined =>
  steps[state][step]

export const maxReasons = 20
export const maxReasonTextLength = 1_000
/** A field's name, or a pointer to one of its items. */
const maxReasonFieldLength = 100

export type SentReason = { code?: string | undefined; field?: string | undefined; text?: string | undefined }

/**
 * Validate a reviewer's reasons. The schema validates the codes.
 *
 * @param needed require at least one: for every decision but an approval
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
  const toViolation = (name: string, violation: { code: string; message: string }): Violation => ({
    path: `/reasons/${index}/${name}`,
    code: violation.code,
    message: `reasons.${index}.${name} ${violation.message}.`,
  })
  return [
    ...(missing ? [toViolation('text', { code: 'required', message: 'must say what the reason is' })] : []),
    ...(textViolation ? [toViolation('text', textViolation)] : []),
    ...(fieldViolation ? [toViolation('field', fieldViolation)] : []),
  ]
}
