const accents: Record<string, string> = {
  a: 'á',
  c: 'ç',
  e: 'é',
  i: 'í',
  n: 'ñ',
  o: 'ó',
  s: 'š',
  u: 'ú',
  y: 'ý',
  z: 'ž',
  A: 'Á',
  C: 'Ç',
  E: 'É',
  I: 'Í',
  N: 'Ñ',
  O: 'Ó',
  S: 'Š',
  U: 'Ú',
  Y: 'Ý',
  Z: 'Ž',
}

/**
 * Convert a text to the pseudo-language: accented, bracketed, and a third longer, like German. Text on a page without
 * brackets is not translated. Placeholders and tags stay.
 */
export function pseudoText(text: string): string {
  const kept = /(\{\{.*?\}\}|\$t\(.*?\)|<[^>]*>)/
  const accented = text
    .split(kept)
    .map((part, at) => (at % 2 === 1 ? part : part.replaceAll(/[a-z]/gi, (letter) => accents[letter] ?? letter)))
  return `[${accented.join('')}${'·'.repeat(Math.ceil(text.length / 3))}]`
}

/** Convert every text of a file. */
export function pseudoTexts(texts: object): object {
  return Object.fromEntries(
    Object.entries(texts).map(([key, value]) => [
      key,
      typeof value === 'string' ? pseudoText(value) : pseudoTexts(Object(value)),
    ]),
  )
}
