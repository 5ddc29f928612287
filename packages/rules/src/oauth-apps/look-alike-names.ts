import { lengthInCharacters } from '../text/plain-text.ts'
import { confusables } from './confusables.ts'

/** Who says in these words that they are us, or that somebody has vouched for them. */
const ourWords = ['parley', 'official', 'verified']

/**
 * Letters that are taken for Latin ones, in lower case, where fonts and readers are less strict than UTS 39: lower-case
 * Cyrillic, Greek and Coptic, digits, and what a person reads as one letter. `i` and `l` are one, since a capital I and a small l
 * are.
 */
const lookAlikes: Record<string, string> = {
  ...{ а: 'a', в: 'b', с: 'c', ԁ: 'd', е: 'e', ё: 'e', ғ: 'f', ԍ: 'g', н: 'h', һ: 'h', і: 'l', ї: 'l', ј: 'j', к: 'k' },
  ...{ ӏ: 'l', м: 'm', п: 'n', о: 'o', р: 'p', ԛ: 'q', г: 'r', ѕ: 's', т: 't', у: 'y', ү: 'y', х: 'x', ԝ: 'w', з: '3' },
  ...{ α: 'a', β: 'b', ϲ: 'c', ε: 'e', η: 'n', ι: 'l', κ: 'k', μ: 'm', ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'y', χ: 'x' },
  ...{ γ: 'y', ζ: 'z', ω: 'w', σ: 'o', ς: 'c' },
  ...{
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
  },
  ...{ ı: 'l', ȷ: 'j', ł: 'l', ø: 'o', đ: 'd', ħ: 'h', ŧ: 't', ß: 'ss', æ: 'ae', œ: 'oe', ɑ: 'a', ɡ: 'g', ɩ: 'l' },
  ...{ i: 'l', '0': 'o', '1': 'l', '5': 's', $: 's', '@': 'a' },
}

/** Two letters that read as one. */
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

/** A prototype may have one itself, once it is in lower case: so often at most before a name stays as it is. */
const maxRounds = 5

/**
 * What names are compared by, so that two of which one can be taken for the other are equal: without case, accents,
 * spaces, punctuation and what is not seen, and with look-alike letters as one. Only a key: never shown.
 */
export function nameKey(name: string): string {
  let folded = name
  for (let round = 0; round < maxRounds; round++) {
    const next = foldOnce(folded)
    if (next === folded) break
    folded = next
  }
  const letters = folded.replace(/[^[[\p{L}\p{M}\p{N}]--\p{Default_Ignorable_Code_Point}]]/gv, '').normalize('NFC')
  return lookAlikePairs.reduce((key, [pair, one]) => key.replaceAll(pair, one), letters)
}

/** Letters first: a compatibility form may look like another letter than the one that it stands for, as `Ϲ` does. */
function foldOnce(name: string): string {
  return (
    replaceLetters(name.normalize('NFD'))
      .normalize('NFKD')
      .toLowerCase()
      // Accents that any letter can wear; the vowel signs of a script of its own are letters there.
      .replace(/[\p{M}&&\p{Script=Inherited}]/gv, '')
  )
}

const replaceLetters = (text: string) =>
  text.replace(/./gsu, (letter) => lookAlikes[letter] ?? prototypes.get(letter) ?? letter)

/**
 * All that a name may be taken for: as it is written, and in small and capital letters, which may look like others. Two
 * names are taken for one another when they have one of these in common.
 */
export const nameKeys = (name: string): string[] => [
  ...new Set([nameKey(name), nameKey(name.toLowerCase()), nameKey(name.toUpperCase())]),
]

/** Counted up with each change of what a name's keys are, so that those that are kept are made anew. */
export const nameKeysVersion = 1

export type Likeness = 'same' | 'near' | 'ours' | 'none'

/**
 * How a name's keys stand to those of other apps: `same` is refused; `near` (one letter more, less or other) and `ours`
 * (it says that it is Parley's own, or vouched for) are noted for the reviewer.
 */
export function likenessOf(keys: readonly string[], otherKeys: readonly string[]): Likeness {
  if (keys.some((key) => otherKeys.includes(key))) return 'same'
  if (keys.some((key) => otherKeys.some((other) => differByOneLetter(key, other)))) return 'near'
  return claimsToBeOurs(keys) ? 'ours' : 'none'
}

export const claimsToBeOurs = (keys: readonly string[]): boolean =>
  keys.some((key) => ourWords.some((word) => key.includes(nameKey(word))))

/** Whether one letter put in, taken out or changed makes one of the other. Short names differ in one letter by nature. */
function differByOneLetter(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (lengthInCharacters(long) - lengthInCharacters(short) > 1 || lengthInCharacters(short) < minLikeKeyLength)
    return false
  const letters = [...short]
  const longer = [...long]
  const at = longer.findIndex((letter, index) => letter !== letters[index])
  if (at < 0) return false
  const rest = longer.slice(at + 1).join('')
  return rest === letters.slice(letters.length === longer.length ? at + 1 : at).join('')
}

/** Of names shorter than this, one letter is too much of the name to be overlooked. */
const minLikeKeyLength = 4
