import { type Language, languageCodes } from '@parley/texts/languages'
import type { Noun } from '@parley/texts/nouns'
import { createInstance, type Resource } from 'i18next'

/** The nouns with texts of the server: in emails, and on the pages that the server renders. */
const nouns = [
  'account-emails',
  'app-emails',
  'error-pages',
  'invitation-emails',
  'oauth-pages',
  'push',
  'scopes',
  'sign-in',
  'sso-pages',
  'webhook-emails',
] as const satisfies readonly Noun[]
type ServerNoun = (typeof nouns)[number]

/** Read at the start, so that no request waits for a file. */
const resources: Resource = {}
for (const language of languageCodes) {
  const texts = nouns.map(async (noun) => {
    const { default: ofNoun } = await import(`@parley/texts/${language}/${noun}.json`, { with: { type: 'json' } })
    return [noun, ofNoun]
  })
  resources[language] = Object.fromEntries(await Promise.all(texts))
}

const i18n = createInstance()
await i18n.init({
  lng: 'en',
  // There is no fallback language: a test ensures that every language is complete.
  fallbackLng: false,
  resources,
  // The templates of HTML escape, and only they: the same texts are in plain text.
  interpolation: { escapeValue: false },
  missingInterpolationHandler: (text, [placeholder]: RegExpExecArray) => {
    throw new Error(`No value for ${placeholder} of "${text}".`)
  },
})

/** The texts of a noun in a language: `t('key', { placeholder })`. A value is filled in unchanged, without escaping. */
export const textsIn = <const N extends ServerNoun>(language: Language, noun: N) => i18n.getFixedT(language, noun)

/** The texts of a noun in the language of a page or an email. */
export type TextsOf<N extends ServerNoun> = ReturnType<typeof textsIn<N>>

/** Leave the placeholders to `fillHtml`: `fillHtml(t('heading', unfilled), { name: html`<b>…</b>` })`. */
export const unfilled = { skipInterpolation: true } as const

/** The option for keys that contain the separator of nouns, as scopes do. */
export const wholeKey = { nsSeparator: false } as const
