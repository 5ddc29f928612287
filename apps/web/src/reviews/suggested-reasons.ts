import type { CheckResult, ReasonCode } from '@parley/contract'

/** A reason as it is typed: what is not chosen yet is empty. */
export type DraftReason = { code: ReasonCode | ''; field: string; text: string }

/** What a failed check is called as a reason (oauth.md 6.3). */
const codeOfCheck: Partial<Record<string, ReasonCode>> = {
  page_answers: 'invalid_url',
  logo_picture: 'invalid_url',
  name_characters: 'misleading',
  denied_host: 'malicious_url',
}

export const emptyReason: DraftReason = { code: '', field: '', text: '' }

/** What the checks have found already need not be typed: one reason for each failure; an empty one where nothing failed. */
export function suggestedReasons(checks: readonly CheckResult[]): DraftReason[] {
  const found = checks.flatMap(({ check, field, result, message }): DraftReason[] => {
    const code = codeOfCheck[check]
    return result === 'failed' && code !== undefined ? [{ code, field, text: message }] : []
  })
  return found.length === 0 ? [emptyReason] : found
}

/** As the contract takes them: without what was left empty. */
export const sentReasons = (reasons: readonly DraftReason[]) =>
  reasons.flatMap(({ code, field, text }) =>
    code === '' ? [] : [{ code, ...(field !== '' && { field }), ...(text.trim() !== '' && { text: text.trim() }) }],
  )
