import { availabilityOf, type LanguageAvailability, type LocalRecognition } from './speech-recognizer.ts'

/** A language that the browser can recognise on this device, perhaps after a download. */
export type SpokenLanguage = { tag: string; availability: Exclude<LanguageAvailability, 'unavailable'> }

/** The browser lists none: these are tried, and those of the browser's settings. */
const commonLanguages = [
  ...['ar-EG', 'de-DE', 'en-GB', 'en-US', 'es-ES', 'fr-FR', 'hi-IN', 'id-ID', 'it-IT', 'ja-JP', 'ko-KR', 'nl-NL'],
  ...['pl-PL', 'pt-BR', 'ru-RU', 'th-TH', 'tr-TR', 'uk-UA', 'vi-VN', 'zh-CN', 'zh-TW'],
]

/** The languages that the browser can recognise on this device. */
export async function listSpokenLanguages(
  recognition: LocalRecognition,
  preferred: readonly string[],
): Promise<SpokenLanguage[]> {
  const tags = [...new Set([...preferred, ...commonLanguages])].toSorted()
  const all = await Promise.all(
    tags.map(async (tag) => ({ tag, availability: await availabilityOf(recognition, tag) })),
  )
  return all.flatMap(({ tag, availability }) => (availability === 'unavailable' ? [] : [{ tag, availability }]))
}

/** The chosen language, or else the first one that the person prefers, in any region. */
export function chooseSpokenLanguage(
  languages: readonly SpokenLanguage[],
  chosen: string | null,
  preferred: readonly string[],
): SpokenLanguage | undefined {
  const find = (matches: (tag: string) => boolean) => languages.find(({ tag }) => matches(tag))
  const exact = chosen === null ? undefined : find((tag) => tag === chosen)
  if (exact !== undefined) return exact
  const known = preferred.flatMap(
    (wanted) => find((tag) => tag === wanted) ?? find((tag) => primaryOf(tag) === primaryOf(wanted)) ?? [],
  )
  return known[0]
}

const primaryOf = (tag: string) => tag.split('-')[0]
