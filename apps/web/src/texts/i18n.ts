import { createInstance, type ResourceLanguage } from 'i18next'
import { initReactI18next } from 'react-i18next'
import { isolate } from './isolate.ts'
import { chooseLanguage, directionOf, type Language, pseudoLanguage } from './languages.ts'
import { pseudoTexts } from './pseudo-text.ts'
import type { Noun } from './texts.ts'

const keptUnder = 'parley-language'

const files = import.meta.glob<{ default: ResourceLanguage }>('./*/*.json')

/** Texts come when a page needs them: one small file a language and noun. */
const textFiles = {
  type: 'backend' as const,
  init() {},
  read(language: string, noun: string, done: (error: Error | null, texts: ResourceLanguage | null) => void) {
    const load = files[`./${language === pseudoLanguage ? 'en' : language}/${noun}.json`]
    if (load === undefined) return done(new Error(`There are no texts of ${noun} in ${language}.`), null)
    load().then(
      ({ default: texts }) =>
        done(null, (language === pseudoLanguage ? pseudoTexts(texts) : texts) as ResourceLanguage),
      (error) => done(error, null),
    )
  },
}

export const i18n = createInstance()

/** Reads the language from what was kept and what the browser wants, and its first texts. */
export async function startI18n(): Promise<void> {
  i18n.on('languageChanged', (language) => {
    document.documentElement.lang = language
    document.documentElement.dir = directionOf(language)
  })
  await i18n
    .use(textFiles)
    .use(initReactI18next)
    .init({
      lng: chooseLanguage(localStorage.getItem(keptUnder), navigator.languages),
      // A language is complete, or a test fails: there is nothing to fall back to.
      fallbackLng: false,
      load: 'currentOnly',
      ns: ['app', 'problems', 'violations'],
      defaultNS: 'app',
      // React escapes markup; what is left is the direction of names and addresses.
      interpolation: { escapeValue: true, escape: (value) => isolate(i18n.language, value) },
    })
}

/** Changes the language of the pages, and keeps it in this browser. */
export async function setLanguage(language: Language): Promise<void> {
  localStorage.setItem(keptUnder, language)
  await i18n.changeLanguage(language)
}

/** For a route: its texts are fetched together with its code. */
export const loadTexts = (...nouns: Noun[]): Promise<void> => i18n.loadNamespaces(nouns)
