import { isLanguage, type Language } from '@parley/texts/languages'

/** Where this browser stores the chosen language, in `localStorage`. */
export const languageStorageKey = 'parley-language'

/** Not a language: English with accents and brackets, by which tests find text that is not translated. */
export const pseudoLanguage = 'en-XA'

/** The first preferred language (BCP 47) that the pages have; otherwise English. */
export function chooseLanguage(kept: string | null, wanted: readonly string[]): Language | typeof pseudoLanguage {
  if (kept === pseudoLanguage || isLanguage(kept)) return kept
  return wanted.map((tag) => tag.toLowerCase().split('-')[0]).find(isLanguage) ?? 'en'
}
