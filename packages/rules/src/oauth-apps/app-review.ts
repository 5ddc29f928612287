import { collect, combine, mapParsed, type Parsed, passed, readRequired, refuse, refuseAt } from '../text/parsed.ts'
import { lengthInCharacters, readPlainText } from '../text/plain-text.ts'
import { violationAt } from '../text/violation.ts'

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
  // An edit that needs a review creates a draft; the live revision stays live.
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

/**
 * Whether people other than its developer may test an app. An app that reviewers have rejected or put on hold works for
 * its developer alone, until a version is submitted again.
 */
export const allowsTesters = (state: AppState): boolean =>
  state !== 'rejected' && state !== 'on_hold' && state !== 'suspended'

export const maxReasons = 20
export const maxReasonTextLength = 1_000
/** A field's name, or a pointer to one of its items. */
const maxReasonFieldLength = 100

export type SentReason = { code?: string | undefined; field?: string | undefined; text?: string | undefined }

/**
 * Read a reviewer's reasons. The schema validates the codes; a reason that it refused is undefined.
 *
 * @param needed require at least one: for every decision but an approval
 */
export function readReasons<Reason extends SentReason>(
  reasons: readonly (Reason | undefined)[],
  needed: boolean,
): Parsed<Reason[]> {
  if (reasons.length === 0 && needed) {
    return refuseAt('/reasons', 'too_few', 'must hold at least one: its developer reads why')
  }
  if (reasons.length > maxReasons) {
    return refuseAt('/reasons', 'too_many', `must hold at most ${maxReasons}`)
  }
  return collect(reasons.map((reason, index) => readRequired(reason, (sent) => readReason(`/reasons/${index}`, sent))))
}

function readReason<Reason extends SentReason>(path: string, reason: Reason): Parsed<Reason> {
  const { code, field = '', text = '' } = reason
  const missing = { code: 'required', message: 'must say what the reason is' }
  const isMissing = code === 'other' && lengthInCharacters(text.trim()) === 0
  const fields = combine({
    presence: isMissing ? refuse(violationAt(`${path}/text`, missing)) : passed,
    text: readPlainText(`${path}/text`, text, { maxLength: maxReasonTextLength, lines: true }),
    field: readPlainText(`${path}/field`, field, { maxLength: maxReasonFieldLength }),
  })
  return mapParsed(fields, () => reason)
}
