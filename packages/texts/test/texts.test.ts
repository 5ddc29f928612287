import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { test } from 'node:test'
import { languageCodes } from '@parley/texts/languages'
import { folderOfTexts, nounsIn, stemOf, textsOf } from './text-files.ts'

const nouns = nounsIn('en')
/** A folder is here before its line in `languages.ts` while it is translated. */
const folders = globSync('*/app.json', { cwd: folderOfTexts }).map((file) => file.replace('/app.json', ''))

const placeholdersOf = (text: string) => [...text.matchAll(/\{\{.*?\}\}|<\/?\w+>/g)].map(([found]) => found).toSorted()

/** The categories of a language that stand for a single number, as Arabic's `two`: their texts need no figure. */
function categoriesOfOneNumber(language: string): ReadonlySet<string> {
  const rules = new Intl.PluralRules(language)
  const numbers = Map.groupBy(Array(200).keys(), (number) => rules.select(number))
  return new Set([...numbers].filter(([, selected]) => selected.length === 1).map(([category]) => category))
}

for (const language of languageCodes)
  test(`${language}: has a file for each noun, and no others`, () => assert.deepEqual(nounsIn(language), nouns))

for (const language of folders) {
  const { pluralCategories } = new Intl.PluralRules(language).resolvedOptions()
  const wordless = categoriesOfOneNumber(language)

  for (const noun of nounsIn(language)) {
    test(`${language}: ${noun} has the keys and placeholders of English, in every plural form of the language`, () => {
      const english = textsOf('en', noun)
      const own = textsOf(language, noun)
      const wanted = [...english.keys()].flatMap((key) => {
        const stem = stemOf(key, english)
        return stem === key ? [key] : pluralCategories.map((category) => `${stem}_${category}`)
      })
      assert.deepEqual([...own.keys()].toSorted(), [...new Set(wanted)].toSorted())

      const differing = [...own].filter(([key, text]) => {
        const stem = stemOf(key, own)
        const model = stem === key ? english.get(key) : english.get(`${stem}_other`)
        const category = key.slice(stem.length + 1)
        const isWordless = english.get(key)?.includes('{{count}}') === false
        const mayOmitCount = stem !== key && (isWordless || wordless.has(category))
        const compared = (placeholders: string[]) =>
          JSON.stringify(mayOmitCount ? placeholders.filter((one) => one !== '{{count}}') : placeholders)
        return compared(placeholdersOf(text)) !== compared(placeholdersOf(model ?? ''))
      })
      assert.deepEqual(differing, [])
      assert.deepEqual(
        [...own].filter(([, text]) => text.trim() !== text || text === ''),
        [],
      )
    })
  }

  test(`${language}: a text that refers to another one names an existing key, or i18next would show the reference`, () => {
    const texts = nounsIn(language).flatMap((noun) =>
      [...textsOf(language, noun)].map(([key, text]) => [`${noun}:${key}`, text]),
    )
    const known = new Map(texts.map(([key = '', text = '']) => [key, text]))
    const wrong = [...known].filter(([, text]) =>
      [...text.matchAll(/\$t\((.*?)\)/g)].some(([, to = '']) => known.get(to)?.includes('$t(') ?? true),
    )
    assert.deepEqual(wrong, [])
  })
}
