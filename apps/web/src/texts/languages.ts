/** The languages of the pages, each by its own name. */
export const languages = [
  { code: 'en', name: 'English', direction: 'ltr' },
  { code: 'de', name: 'Deutsch', direction: 'ltr' },
  { code: 'hi', name: 'हिन्दी', direction: 'ltr' },
  { code: 'ar', name: 'العربية', direction: 'rtl' },
] as const

export type Language = (typeof languages)[number]['code']

/** Not a language: English with accents and brackets, by which tests find text that is not translated. */
export const pseudoLanguage = 'en-XA'

export const isLanguage = (code: unknown): code is Language => languages.some((known) => known.code === code)

/** The first preferred language (BCP 47) that the pages have; otherwise English. */
export function chooseLanguage(kept: string | null, wanted: readonly string[]): Language | typeof pseudoLanguage {
  if (kept === pseudoLanguage || isLanguage(kept)) return kept
  return wanted.map((tag) => tag.toLowerCase().split('-')[0]).find(isLanguage) ?? 'en'
}

export const directionOf = (code: string): 'ltr' | 'rtl' =>
  languages.find((language) => language.code === code)?.direction ?? 'ltr'
