/** What readers type, without what differs between keyboards: digits, case, accents, marks of direction. */

/** The first digit of each script that the languages of the pages have. */
const zeros = [0x660, 0x6f0, 0x966]

const asciiDigit = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0
  const zero = zeros.find((first) => code >= first && code < first + 10)
  return zero === undefined ? digit : String(code - zero)
}

/** Lower case, with ASCII digits and one kind of space, without accents. Signs of vowels stay: they are letters in Hindi. */
export const plainText = (typed: string, language: string): string =>
  typed
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f\u200e\u200f\u061c\u2066-\u2069]/g, '')
    .replaceAll(/\p{Nd}/gu, asciiDigit)
    .toLocaleLowerCase(language)
    .replaceAll(/[\s\u00a0\u202f]+/g, ' ')
    .trim()

/** The numbers and the words of a plain text. */
export function numbersAndWords(text: string): { numbers: string[]; words: string[] } {
  return { numbers: text.match(/\d+/g) ?? [], words: text.match(/[\p{L}\p{M}]+/gu) ?? [] }
}
