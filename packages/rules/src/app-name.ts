import { lengthInCharacters, type PlainTextFault, plainTextFault } from './plain-text.ts'

export const shortestAppName = 3
export const longestAppName = 50

/** Who says in these words that they are us (oauth.md 4, look-alike names). */
const ourWords = ['parley', 'official']

/**
 * Letters that are taken for Latin ones, in lower case: the lower-case and capital forms of Cyrillic and Greek that look
 * the same in common fonts, digits, and what a person reads as one letter. `i` and `l` are one, since a capital I and a
 * small l are; after Unicode TR 39.
 */
const lookAlikes: Record<string, string> = {
  ...{ а: 'a', в: 'b', с: 'c', ԁ: 'd', е: 'e', ё: 'e', ғ: 'f', ԍ: 'g', н: 'h', һ: 'h', і: 'l', ї: 'l', ј: 'j', к: 'k' },
  ...{ ӏ: 'l', м: 'm', п: 'n', о: 'o', р: 'p', ԛ: 'q', г: 'r', ѕ: 's', т: 't', у: 'y', ү: 'y', х: 'x', ԝ: 'w', з: '3' },
  ...{ α: 'a', β: 'b', ϲ: 'c', ε: 'e', η: 'n', ι: 'l', κ: 'k', μ: 'm', ν: 'v', ο: 'o', ρ: 'p', τ: 't', υ: 'y', χ: 'x' },
  ...{ γ: 'y', ζ: 'z', ω: 'w', σ: 'o', ς: 'c' },
  ...{ ı: 'l', ȷ: 'j', ł: 'l', ø: 'o', đ: 'd', ħ: 'h', ŧ: 't', ß: 'ss', æ: 'ae', œ: 'oe', ɑ: 'a', ɡ: 'g', ɩ: 'l' },
  ...{ ᴏ: 'o', ᴄ: 'c', ᴠ: 'v', ᴡ: 'w', ᴢ: 'z', ꜱ: 's' },
  ...{ i: 'l', '0': 'o', '1': 'l', '5': 's', $: 's', '@': 'a' },
}

/** Two letters that read as one. */
const lookAlikePairs: readonly (readonly [string, string])[] = [
  ['rn', 'm'],
  ['vv', 'w'],
]

export type AppNameFault = PlainTextFault | { code: 'no_letter'; message: string }

export function appNameFault(name: string): AppNameFault | undefined {
  const fault = plainTextFault(name, { minLength: shortestAppName, maxLength: longestAppName })
  if (fault !== undefined) return fault
  return nameKey(name) === '' ? { code: 'no_letter', message: 'must hold letters or digits' } : undefined
}

/**
 * What names are compared by, so that two of which one can be taken for the other are equal: without case, accents,
 * spaces, punctuation and what is not seen, and with look-alike letters as one. Only a key: never shown.
 */
export function nameKey(name: string): string {
  const letters = name
    .normalize('NFKD')
    .toLowerCase()
    // Accents that any letter can wear; the vowel signs of a script of its own are letters there.
    .replace(/[\p{M}&&\p{Script=Inherited}]/gv, '')
    .replace(/./gsu, (letter) => lookAlikes[letter] ?? letter)
    .replace(/[^[[\p{L}\p{M}\p{N}]--\p{Default_Ignorable_Code_Point}]]/gv, '')
    .normalize('NFC')
  return lookAlikePairs.reduce((key, [pair, one]) => key.replaceAll(pair, one), letters)
}

export type Likeness = 'same' | 'near' | 'ours' | 'none'

/**
 * How a name's key stands to those of other apps: `same` is refused; `near` (one letter more, less or other) and `ours`
 * (it says that it is Parley's own) are noted for the reviewer.
 */
export function likenessOf(key: string, otherKeys: readonly string[]): Likeness {
  if (otherKeys.includes(key)) return 'same'
  if (otherKeys.some((other) => differByOneLetter(key, other))) return 'near'
  return ourWords.some((word) => key.includes(nameKey(word))) ? 'ours' : 'none'
}

/** Whether one letter put in, taken out or changed makes one of the other. Short names differ in one letter by nature. */
function differByOneLetter(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one]
  if (lengthInCharacters(long) - lengthInCharacters(short) > 1 || lengthInCharacters(short) < shortestLikeKey)
    return false
  const letters = [...short]
  const longer = [...long]
  const at = longer.findIndex((letter, index) => letter !== letters[index])
  if (at < 0) return false
  const rest = longer.slice(at + 1).join('')
  return rest === letters.slice(letters.length === longer.length ? at + 1 : at).join('')
}

/** Of names shorter than this, one letter is too much of the name to be overlooked. */
const shortestLikeKey = 4
