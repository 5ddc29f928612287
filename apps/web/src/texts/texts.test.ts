import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { languages } from './languages.ts'

const folder = import.meta.dirname
const sources = globSync('../**/*.{ts,tsx}', { cwd: folder }).filter((file) => !file.endsWith('.test.ts'))

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

const code = sources.map((file) => {
  const source = readFileSync(join(folder, file), 'utf8')
  const templates = source.matchAll(/`(?:([\w-]+):)?([\w.-]+)\$\{/g)
  return {
    source,
    bare: nounsReadBy(source),
    beginnings: [...templates].map(([, noun, fixed = '']) => ({ noun, fixed })),
  }
})

for (const { code: language } of languages) {
  test(`${language}: has a file for each noun, and no others`, () => {
    assert.deepEqual(nounsIn(language), nouns)
  })

  for (const noun of nouns) {
    test(`${language}: ${noun} has the keys and placeholders of English, in every plural form of the language`, () => {
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

/** The nouns whose keys a source uses alone: the first of each `useTranslation`; all if there is no such call. */
function nounsReadBy(source: string): ReadonlySet<string> {
  const named = [...source.matchAll(/(?:useTranslation\(|TFunction<)\[?(?:'([\w-]+)')?/g)].map(
    ([, noun = 'app']) => noun,
  )
  return new Set(named.length === 0 ? nouns : named)
}

test('the code uses every text, by its whole key or the fixed part of it', () => {
  const referred = new Set(
    nouns.flatMap((noun) =>
      [...textsOf('en', noun).values()].flatMap((text) => text.match(/(?<=\$t\().*?(?=\))/g) ?? []),
    ),
  )
  const isRead = (noun: string, key: string) =>
    code.some(
      ({ source, bare, beginnings }) =>
        source.includes(`'${noun}:${key}'`) ||
        (bare.has(noun) && source.includes(`'${key}'`)) ||
        beginnings.some(
          (begun) => (begun.noun === undefined ? bare.has(noun) : begun.noun === noun) && key.startsWith(begun.fixed),
        ),
    )
  const unused = nouns
    // Codes of the server select these texts.
    .filter((noun) => noun !== 'problems' && noun !== 'violations')
    .flatMap((noun) => {
      const all = textsOf('en', noun)
      const keys = new Set([...all.keys()].map((key) => stemOf(key, all)))
      return [...keys]
        .filter((key) => !referred.has(`${noun}:${key}`) && !isRead(noun, key))
        .map((key) => `${noun}:${key}`)
    })
  assert.deepEqual(unused, [])
})

test('every action of the audit log has a text in every language, and no other action has one', async () => {
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

test('texts of problems have codes of the catalogue, or one of the two of the web app', async () => {
  const { problems } = await import('@parley/contract')
  const own = ['unknown', 'noConnection']
  const all = textsOf('en', 'problems')
  const foreign = [...all.keys()]
    .map((key) => stemOf(key, all))
    .filter((key) => !own.includes(key) && !(key in problems))
  assert.deepEqual(foreign, [])
})

test('a text that refers to another one names an existing key, or i18next would show the reference', () => {
  for (const { code: language } of languages) {
    const texts = nouns.flatMap((noun) => [...textsOf(language, noun)].map(([key, text]) => [`${noun}:${key}`, text]))
    const known = new Map(texts.map(([key = '', text = '']) => [key, text]))
    const wrong = [...known].filter(([, text]) =>
      [...text.matchAll(/\$t\((.*?)\)/g)].some(([, to = '']) => known.get(to)?.includes('$t(') ?? true),
    )
    assert.deepEqual(wrong, [], language)
  }
})
