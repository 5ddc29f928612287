import type { CheckResult, ReasonCode } from '@parley/contract'

/** A reason as typed; fields without a choice are empty. */
export type DraftReason = { code: ReasonCode | ''; field: string; text: string }

/** Map failed checks to reason codes. */
const codeOfCheck: Partial<Record<string, ReasonCode>> = {
  page_answers: 'invalid_url',
  logo_picture: 'invalid_url',
  name_characters: 'misleading',
  denied_host: 'malicious_url',
}

export const emptyReason: DraftReason = { code: '', field: '', text: '' }

/** Suggest one reason for each failed check, or one empty reason when none failed. */
export function suggestedReasons(checks: readonly CheckResult[]): DraftReason[] {
  const found = checks.flatMap(({ check, field, result, message }): DraftReason[] => {
    const code = codeOfCheck[check]
    return result === 'failed' && code !== undefined ? [{ code, field, text: message }] : []
  })
  return found.length === 0 ? [emptyReason] : found
}

/** Build the request's reasons, without empty fields. */
export const sentReasons = (reasons: readonly DraftReason[]) =>
  reasons.flatMap(({ code, field, text }) =>
    code === '' ? [] : [{ code, ...(field !== '' && { field }), ...(text.trim() !== '' && { text: text.trim() }) }],
  )
