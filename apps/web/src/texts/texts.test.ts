import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { languages } from './languages.ts'

const folder = import.meta.dirname
const sources = globSync('../**/*.{ts,tsx}', { cwd: folder }).filter((file) => !file.endsWith('.test.ts'))
const code = sources.map((file) => readFileSync(join(folder, file), 'utf8')).join('\n')

const nounsIn = (language: string) =>
  globSync(`${language}/*.json`, { cwd: folder })
    .map((file) => file.slice(language.length + 1, -'.json'.length))
    .toSorted()

/** Every text of a file, by its dotted key. */
function textsOf(language: string, noun: string): Map<string, string> {
  const flat = (value: unknown, key: string): [string, string][] =>
    typeof value === 'string'
      ? [[key, value]]
      : Object.entries(Object(value)).flatMap(([name, inner]) => flat(inner, key === '' ? name : `${key}.${name}`))
  return new Map(flat(JSON.parse(readFileSync(join(folder, language, `${noun}.json`), 'utf8')), ''))
}

const plural = /_(zero|one|two|few|many|other)$/
/** `too_many` ends like a plural form but is none; real plurals have `_other` in every language. */
const stemOf = (key: string, all: ReadonlyMap<string, string>) => {
  const stem = key.replace(plural, '')
  return all.has(`${stem}_other`) ? stem : key
}
const placeholdersOf = (text: string) => [...text.matchAll(/\{\{.*?\}\}|<\/?\w+>/g)].map(([found]) => found).toSorted()

const nouns = nounsIn('en')

for (const { code: language } of languages) {
  test(`${language}: there is a file for every noun, and no other`, () => {
    assert.deepEqual(nounsIn(language), nouns)
  })

  for (const noun of nouns) {
    test(`${language}: ${noun} has the keys of English, in every plural of the language, and the same placeholders`, () => {
      const english = textsOf('en', noun)
      const own = textsOf(language, noun)
      const categories = new Intl.PluralRules(language).resolvedOptions().pluralCategories
      const wanted = [...english.keys()].flatMap((key) => {
        const stem = stemOf(key, english)
        return stem === key ? [key] : categories.map((category) => `${stem}_${category}`)
      })
      assert.deepEqual([...own.keys()].toSorted(), [...new Set(wanted)].toSorted())

      const differing = [...own].filter(([key, text]) => {
        const model = english.get(key) ?? english.get(`${stemOf(key, own)}_other`) ?? ''
        return JSON.stringify(placeholdersOf(text)) !== JSON.stringify(placeholdersOf(model))
      })
      assert.deepEqual(differing, [])
      assert.deepEqual(
        [...own].filter(([, text]) => text.trim() !== text || text === ''),
        [],
      )
    })
  }
}

test('every text is used: its key stands in the code, whole or as far as it is fixed', () => {
  // Codes of the server that select a text.
  const lookedUp = new Set(['problems', 'violations'])
  const beginnings = [...code.matchAll(/`(?:\w+:)?([\w.]+\.)\$\{/g)].map(([, beginning = '']) => beginning)
  const unused = nouns
    .filter((noun) => !lookedUp.has(noun))
    .flatMap((noun) => {
      const all = textsOf('en', noun)
      return [...all.keys()].map((key) => ({ noun, key: stemOf(key, all) }))
    })
    .filter(({ noun, key }) => {
      const written = [`'${key}'`, `'${noun}:${key}'`, `"${key}"`].some((literal) => code.includes(literal))
      return !written && !beginnings.some((beginning) => key.startsWith(beginning))
    })
    .map(({ noun, key }) => `${noun}: ${key}`)
  assert.deepEqual([...new Set(unused)], [])
})

test('every action of the audit log has a word in every language, and no other action has one', async () => {
  const { auditActions, securityActions } = await import('@parley/contract')
  const keyOf = (action: string) => action.replaceAll('.', '_')
  const wordsIn = (language: string, noun: string, key: string) =>
    [...textsOf(language, noun).keys()].filter((one) => one.startsWith(key)).map((one) => one.slice(key.length))
  for (const { code: language } of languages) {
    const words = [...wordsIn(language, 'security', 'log.actions.'), ...wordsIn(language, 'administration', 'actions.')]
    assert.deepEqual(words.toSorted(), auditActions.map(keyOf).toSorted(), language)
    const own = wordsIn(language, 'security', 'log.actions.').toSorted()
    assert.deepEqual(own, securityActions.map(keyOf).toSorted(), language)
  }
})

test('texts of problems have codes of the catalogue, or one of the web’s own two', async () => {
  const { problems } = await import('@parley/contract')
  const own = ['unknown', 'noConnection']
  const all = textsOf('en', 'problems')
  const foreign = [...all.keys()]
    .map((key) => stemOf(key, all))
    .filter((key) => !own.includes(key) && !(key in problems))
  assert.deepEqual(foreign, [])
})

/** Shorter texts may be alike by chance: a label has its place as its meaning. */
const minWordsOfSentence = 4

test('a sentence stands in one place of a language, unless another language says two things', () => {
  // A code of the server selects these texts, so two codes may mean the same to a reader.
  const perCode = ['problems', 'violations']
  const texts = languages.map(
    ({ code: language }) =>
      new Map<string, string>(
        nouns
          .filter((noun) => !perCode.includes(noun))
          .flatMap((noun) => [...textsOf(language, noun)].map(([key, text]) => [`${noun}:${key}`, text] as const)),
      ),
  )
  const english = [...(texts[0] ?? new Map<string, string>())].filter(
    ([key, text]) => !plural.test(key) && !text.startsWith('$t(') && text.split(' ').length >= minWordsOfSentence,
  )
  const alike = Map.groupBy(english, ([key]) => JSON.stringify(texts.map((own) => own.get(key))))
  const repeated = [...alike.values()].filter((group) => group.length > 1).map((group) => group.map(([key]) => key))
  assert.deepEqual(repeated, [])
})
