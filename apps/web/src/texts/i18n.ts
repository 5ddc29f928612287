import { textsByLanguage } from 'virtual:texts-by-language'
import { directionOf, type Language } from '@parley/texts/languages'
import type { Noun } from '@parley/texts/nouns'
import { createInstance, type ResourceLanguage } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { replaceTimeFormat } from './dates.ts'
import { isolate } from './isolate.ts'
import { chooseLanguage, languageStorageKey, pseudoLanguage } from './language-choice.ts'

/** Texts are fetched with the page that needs them; those that every page needs, at once with the language. */
const textFiles = {
  type: 'backend' as const,
  init() {},
  read(language: string, noun: string, done: (error: Error | null, texts: ResourceLanguage | null) => void) {
    ;(language === pseudoLanguage ? readPseudoTexts(noun) : readTexts(language, noun)).then(
      (texts) => done(null, texts),
      (error) => done(error, null),
    )
  },
}

async function readTexts(language: string, noun: string): Promise<ResourceLanguage> {
  const ofLanguage = await textsByLanguage[language]?.()
  const texts = ofLanguage?.textsOfEveryPage[noun] ?? (await ofLanguage?.nouns[noun]?.())?.default
  if (texts === undefined) throw new Error(`There are no texts of ${noun} in ${language}.`)
  return texts
}

async function readPseudoTexts(noun: string): Promise<ResourceLanguage> {
  const [{ pseudoTexts }, texts] = await Promise.all([import('./pseudo-text.ts'), readTexts('en', noun)])
  return pseudoTexts(texts) as ResourceLanguage
}

const i18n = createInstance()

/** Detect the language from the stored choice and the browser's preference, and load its first texts. */
export async function startI18n(): Promise<void> {
  i18n.on('languageChanged', (language) => {
    document.documentElement.lang = language
    document.documentElement.dir = directionOf(language)
  })
  await i18n
    .use(textFiles)
    .use(initReactI18next)
    .init({
      lng: chooseLanguage(localStorage.getItem(languageStorageKey), navigator.languages),
      // A test ensures that every language is complete, so there is no fallback.
      fallbackLng: false,
      load: 'currentOnly',
      ns: ['app', 'problems', 'violations', 'sign-in'],
      defaultNS: 'app',
      // React escapes markup; the direction of names and addresses is handled here.
      interpolation: { escapeValue: true, escape: (value) => isolate(i18n.language, value) },
    })
}

/** Change the language of the pages, and store it in this browser. */
export async function setLanguage(language: Language): Promise<void> {
  localStorage.setItem(languageStorageKey, language)
  await i18n.changeLanguage(language)
}

/** Write times and weeks as the reader has chosen in the profile, on all that is shown. */
export function setTimeFormat(format: Parameters<typeof replaceTimeFormat>[0]): void {
  if (replaceTimeFormat(format)) i18n.emit('languageChanged', i18n.language)
}

/** For a route: load its texts together with its code. */
export const loadTexts = (...nouns: Noun[]): Promise<void> => i18n.loadNamespaces(nouns)
