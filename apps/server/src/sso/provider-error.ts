import { isolated } from '@parley/rules/text/isolated-text'
import type { Language } from '@parley/texts/languages'
import { textsIn } from '../platform/texts.ts'
import type { PageError } from '../server-pages/error-page.ts'

/** Errors of a sign-in with the provider that end on an error page. */
export const providerErrors = {
  provider_away: { status: 503, fixer: 'administrator' },
  provider_refused: { status: 403, fixer: 'visitor' },
  sign_in_unknown: { status: 400, fixer: 'visitor' },
  answer_unsound: { status: 502, fixer: 'administrator' },
  address_unverified: { status: 403, fixer: 'administrator' },
  set_up_code_required: { status: 403, fixer: 'administrator' },
  sign_up_closed: { status: 403, fixer: 'administrator' },
  account_disabled: { status: 403, fixer: 'administrator' },
} as const satisfies Record<string, Pick<PageError, 'status' | 'fixer'>>

export type ProviderErrorCode = keyof typeof providerErrors

/** A failed sign-in with the provider; the cause is for the log. */
export class ProviderError extends Error {
  readonly code: ProviderErrorCode

  constructor(code: ProviderErrorCode, cause?: unknown) {
    super(code, { cause })
    this.code = code
  }
}

/** Describe an error for its page, with the name that the operator gave the provider. */
export function describeProviderError(code: ProviderErrorCode, providerName: string, language: Language): PageError {
  const t = textsIn(language, 'sso-pages')
  const name = isolated(language, providerName)
  return {
    ...providerErrors[code],
    title: t(`errors.${code}.title`, { name }),
    happened: t(`errors.${code}.happened`, { name }),
    advice: t(`errors.${code}.advice`, { name }),
  }
}
