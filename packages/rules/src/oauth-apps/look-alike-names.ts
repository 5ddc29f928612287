import { lengthInCharacters } from '../text/plain-text.ts'
import { confusables } from './confusables.ts'

/** An app with one of these words in its name claims to be Parley's or to be endorsed. */
const ourWords = ['parley', 'official', 'verified']

/**
 * Letters that look like Latin ones, in lower case, beyond the stricter UTS 39: lower-case Cyrillic, Greek and Coptic,
 * digits, and letters that readers confuse. `i` and `l` are the same, because a capital I and a small l look alike.
 */
const lookAlikes: Record<string, string> = {
  а: 'a',
  в: 'b',
  с: 'c',
  ԁ: 'd',
  е: 'e',
  ё: 'e',
  ғ: 'f',
  ԍ: 'g',
  н: 'h',
  һ: 'h',
  і: 'l',
  ї: 'l',
  ј: 'j',
  к: 'k',
  ӏ: 'l',
  м: 'm',
  п: 'n',
  о: 'o',
  р: 'p',
  ԛ: 'q',
  г: 'r',
  ѕ: 's',
  т: 't',
  у: 'y',
  ү: 'y',
  х: 'x',
  ԝ: 'w',
  з: '3',
  α: 'a',
  β: 'b',
  ϲ: 'c',
  ε: 'e',
  η: 'n',
  ι: 'l',
  κ: 'k',
  μ: 'm',
  ν: 'v',
  ο: 'o',
  ρ: 'p',
  τ: 't',
  υ: 'y',
  χ: 'x',
  γ: 'y',
  ζ: 'z',
  ω: 'w',
  σ: 'o',
  ς: 'c',
  ⲁ: 'a',
  ⲃ: 'b',
  ⲉ: 'e',
  ⲍ: 'z',
  ⲏ: 'h',
  ⲓ: 'l',
  ⲕ: 'k',
  ⲙ: 'm',
  ⲛ: 'n',
  ⲟ: 'o',
  ⲣ: 'p',
  ⲥ: 'c',
  ⲧ: 't',
  ⲩ: 'y',
  ⲭ: 'x',
  ı: 'l',
  ȷ: 'j',
  ł: 'l',
  ø: 'o',
  đ: 'd',
  ħ: 'h',
  ŧ: 't',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ɑ: 'a',
  ɡ: 'g',
  ɩ: 'l',
  i: 'l',
  '0': 'o',
  '1': 'l',
  '5': 's',
  $: 's',
  '@': 'a',
}

/** Pairs that look like one letter. */
const lookAlikePairs: readonly (readonly [string, string])[] = [
  ['rn', 'm'],
  ['vv', 'w'],
]

const textOf = (codePoints: string) =>
  String.fromCodePoint(...codePoints.split('+').map((hex) => Number.parseInt(hex, 16)))

const prototypes = new Map(
  confusables
    .split(';')
    .map((group) => group.trim().split(' '))
    .flatMap(([prototype = '', ...sources]) =>
      sources.map((source): [string, string] => [textOf(source), textOf(prototype)]),
    ),
)

/** A prototype in lower case may have a prototype itself: the maximum number of rounds before a name is stable. */
const maxRounds = 5

/**
 * Compute the comparison key of a name, so that names that can be mistaken for one another are equal: without case,
 * accents, spaces, punctuation and invisible characters, and with look-alike letters unified. Never displayed.
 */
export function nameKey(name: string): string {
  let folded = name
  for (let round = 0; round < maxRounds; round++) {
    const next = foldOnce(folded)
    if (next === folded) break
    folded = next
  }
  const letters = folded.replace(/[^[[\p{L}\p{M}\p{N}]--\p{Default_Ignorable_Code_Point}]]/gv, '').normalize('NFC')
  return lookAlikePairs.reduce((key, [pair, letter]) => key.replaceAll(pair, letter), letters)
}

/**
 * Replace letters first: a compatibility form may look like a letter other than the letter that it represents, as `Ϲ`
 * does.
 */
function foldOnce(name: string): string {
  return (
    replaceLetters(name.normalize('NFD'))
      .normalize('NFKD')
      .toLowerCase()
      // Remove accents that any letter can have; the vowel signs of a script are letters there.
      .replace(/[\p{M}&&\p{Script=Inherited}]/gv, '')
  )
}

const replaceLetters = (text: string) =>
  text.replace(/./gsu, (letter) => lookAlikes[letter] ?? prototypes.get(letter) ?? letter)

/**
 * All keys of a name: as written, and in lower and upper case, which may look like other letters. Two names can be
 * mistaken for one another when they share a key.
 */
export const nameKeys = (name: string): string[] => [
  ...new Set([nameKey(name), nameKey(name.toLowerCase()), nameKey(name.toUpperCase())]),
]

export type Likeness = 'same' | 'near' | 'ours' | 'none'

/**
 * Compare a name's keys with those of other apps. `same` is refused; `near` (one letter more, less or different) and
 * `ours` (it claims to be Parley's own or endorsed) are flagged to the reviewer.
 */
export function likenessOf(keys: readonly string[], otherKeys: readonly string[]): Likeness {
  if (keys.some((key) => otherKeys.includes(key))) return 'same'
  if (keys.some((key) => otherKeys.some((otherKey) => differByOneLetter(key, otherKey)))) return 'near'
  return claimsToBeOurs(keys) ? 'ours' : 'none'
}

/** Whether one of a name's keys contains `parley`, `official` or `verified`. */
export const claimsToBeOurs = (keys: readonly string[]): boolean =>
  keys.some((key) => ourWords.some((word) => key.includes(nameKey(word))))

/** Whether inserting, deleting or replacing one letter turns one into the other. */
function differByOneLetter(first: string, second: string): boolean {
  const [short, long] = first.length <= second.length ? [first, second] : [second, first]
  if (lengthInCharacters(long) - lengthInCharacters(short) > 1 || lengthInCharacters(short) < minLikeKeyLength)
    return false
  const letters = [...short]
  const longer = [...long]
  const at = longer.findIndex((letter, index) => letter !== letters[index])
  if (at < 0) return false
  const rest = longer.slice(at + 1).join('')
  return rest === letters.slice(letters.length === longer.length ? at + 1 : at).join('')
}

/** In shorter names, a single letter is too large a part to be overlooked. */
const minLikeKeyLength = 4
