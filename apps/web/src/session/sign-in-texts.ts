import { signInTexts } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { textInPageLanguage } from '../texts/i18n.ts'

/** The texts of signing in, which the server's pages and emails have as well, in the page's language. */
export function useSignInTexts(): (key: keyof typeof signInTexts) => string {
  // Render again when the language changes.
  useTranslation()
  return (key) => textInPageLanguage(signInTexts[key])
}
