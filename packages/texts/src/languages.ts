/** The languages of pages and emails: each is a folder of this package, and a line here, by its own name. */
export const languages = [
  { code: 'en', name: 'English', direction: 'ltr' },
  { code: 'de', name: 'Deutsch', direction: 'ltr' },
  { code: 'es', name: 'Español', direction: 'ltr' },
  { code: 'fr', name: 'Français', direction: 'ltr' },
  { code: 'hi', name: 'हिन्दी', direction: 'ltr' },
  { code: 'ar', name: 'العربية', direction: 'rtl' },
] as const

/** A primary language subtag of BCP 47. */
export type Language = (typeof languages)[number]['code']

export const languageCodes: readonly Language[] = languages.map(({ code }) => code)

export const isLanguage = (code: unknown): code is Language => languages.some((known) => known.code === code)

/** The writing direction; of a tag that is no language of ours, left to right. */
export const directionOf = (code: string): 'ltr' | 'rtl' =>
  languages.find((language) => language.code === code)?.direction ?? 'ltr'
