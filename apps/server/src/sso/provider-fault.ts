import { isolated } from '@parley/rules/text/isolated-text'
import type { Language } from '@parley/rules/text/language'
import type { Fault } from '../server-pages/fault-page.ts'
import { providerFaultTexts } from './provider-fault-texts.ts'

/** Where a sign-in with the provider ends on a page of ours; its words are in provider-fault-texts.ts. */
export const providerFaults = {
  provider_away: { status: 503, fixer: 'administrator' },
  provider_refused: { status: 403, fixer: 'visitor' },
  sign_in_unknown: { status: 400, fixer: 'visitor' },
  answer_unsound: { status: 502, fixer: 'administrator' },
  address_unverified: { status: 403, fixer: 'administrator' },
  set_up_code_required: { status: 403, fixer: 'administrator' },
  sign_up_closed: { status: 403, fixer: 'administrator' },
  account_disabled: { status: 403, fixer: 'administrator' },
} as const satisfies Record<string, Pick<Fault, 'status' | 'fixer'>>

export type ProviderFaultName = keyof typeof providerFaults

/** A sign-in that ends here; the cause is for the log. */
export class ProviderFault extends Error {
  readonly fault: ProviderFaultName

  constructor(fault: ProviderFaultName, cause?: unknown) {
    super(fault, { cause })
    this.fault = fault
  }
}

export function faultOf(name: ProviderFaultName, providerName: string, language: Language): Fault {
  const { title, happened, advice } = providerFaultTexts(language).faults[name]
  const named = (text: string) => text.replaceAll('{name}', isolated(language, providerName))
  return { ...providerFaults[name], title: named(title), happened: named(happened), advice: named(advice) }
}
