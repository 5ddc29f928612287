/** The languages of the pages and the mails, by their BCP 47 tags. */
export const languages = ['en', 'de', 'hi', 'ar'] as const
export type Language = (typeof languages)[number]

export const isLanguage = (text: string): text is Language => (languages as readonly string[]).includes(text)

/** Which way a language is written. */
export const directionOf = (language: Language): 'ltr' | 'rtl' => (language === 'ar' ? 'rtl' : 'ltr')

/** Nobody prefers more; a longer header is somebody's joke. */
const MOST_RANGES = 20

/** What a browser asks for first among what we have (RFC 9110, 12.5.4); undefined when it is none of ours. */
export function preferredLanguage(acceptLanguage: string): Language | undefined {
  const wanted = acceptLanguage
    .split(',', MOST_RANGES)
    .map((range) => {
      const [, tag = '', quality = '1'] =
        /^\s*([a-z]{1,8})(?:-[a-z0-9-]*)?\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*$/i.exec(range) ?? []
      return { tag: tag.toLowerCase(), quality: Number(quality) }
    })
    .filter(({ quality }) => quality > 0)
    .toSorted((one, other) => other.quality - one.quality)
  return wanted.map(({ tag }) => tag).find(isLanguage)
}
