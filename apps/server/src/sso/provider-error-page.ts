import { isolated } from '@parley/rules/text/isolated-text'
import type { Language } from '@parley/rules/text/language'
import type { PageError } from '../server-pages/error-page.ts'
import { type ProviderErrorCode, providerErrors } from './provider-error.ts'
import { providerErrorTexts } from './provider-error-texts.ts'

/** The texts of an error page, with the name that the operator gave the provider. */
export function describeProviderError(code: ProviderErrorCode, providerName: string, language: Language): PageError {
  const { title, happened, advice } = providerErrorTexts(language).errors[code]
  const named = (text: string) => text.replaceAll('{name}', isolated(language, providerName))
  return { ...providerErrors[code], title: named(title), happened: named(happened), advice: named(advice) }
}
