import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { languageCodes } from '@parley/texts/languages'
import { nounsIn, stemOf, textsOf } from '../../../../packages/texts/test/text-files.ts'

const folder = import.meta.dirname
const sources = globSync('../**/*.{ts,tsx}', { cwd: folder }).filter((file) => !file.endsWith('.test.ts'))

const nouns = nounsIn('en').filter((noun) => !/-(emails|pages)$/.test(noun))

const code = sources.map((file) => {
  const source = readFileSync(join(folder, file), 'utf8')
  const templates = source.matchAll(/`(?:([\w-]+):)?([\w.-]+)\$\{/g)
  return {
    source,
    bare: nounsReadBy(source),
    beginnings: [...templates].map(([, noun, fixed = '']) => ({ noun, fixed })),
  }
})

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
    .filter((noun) => !['problems', 'scopes', 'violations'].includes(noun))
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
  for (const language of languageCodes) {
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
