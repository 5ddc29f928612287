import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export const folderOfTexts = join(import.meta.dirname, '..')

/** The nouns that a language has a file for. */
export const nounsIn = (language: string) =>
  globSync(`${language}/*.json`, { cwd: folderOfTexts })
    .map((file) => file.slice(language.length + 1, -'.json'.length))
    .toSorted()

/** Every text of a file, by its dotted key. */
export function textsOf(language: string, noun: string): Map<string, string> {
  const flat = (value: unknown, key: string): [string, string][] =>
    typeof value === 'string'
      ? [[key, value]]
      : Object.entries(Object(value)).flatMap(([name, inner]) => flat(inner, key === '' ? name : `${key}.${name}`))
  return new Map(flat(JSON.parse(readFileSync(join(folderOfTexts, language, `${noun}.json`), 'utf8')), ''))
}

const plural = /_(zero|one|two|few|many|other)$/

/** `too_many` ends like a plural form but is none; real plurals have `_other` in every language. */
export const stemOf = (key: string, all: ReadonlyMap<string, string>) => {
  const stem = key.replace(plural, '')
  return all.has(`${stem}_other`) ? stem : key
}
