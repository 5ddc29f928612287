/** The languages of the pages and the mails, by their BCP 47 tags. */
export const languages = ['en', 'de', 'hi', 'ar'] as const
export type Language = (typeof languages)[number]

export const isLanguage = (text: string): text is Language => (languages as readonly string[]).includes(text)

/** The writing direction of a language. */
export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')
