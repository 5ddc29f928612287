/** Longer parts of words, and more of them, tell no more people apart. */
const maxSearchWordLength = 64
const maxWords = 8

/**
 * The words of a search for a person, without accents and in lower case: as `person_words` of the database's schema reads
 * the words of names and addresses. Of `@example`, the domain is meant.
 */
export const searchWords = (text: string): string[] =>
  limited(
    folded(text)
      .split(/[\s\p{Cc},;"<>()]+/u)
      .map((word) => word.replace(/^@/, '')),
  )

/**
 * The words of a search in texts, without accents and in lower case. They hold no punctuation, in which texts and searches
 * differ, and thus no character that has a meaning in a pattern.
 */
export const textWords = (text: string): string[] => limited(folded(text).split(/[^\p{L}\p{N}\p{M}]+/u))

const folded = (text: string) =>
  text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()

const limited = (words: readonly string[]) =>
  words
    .map((word) => [...word].slice(0, maxSearchWordLength).join(''))
    .filter((word) => word !== '')
    .slice(0, maxWords)

/** Whether each word of a search is the beginning of a word of a person's name or address. */
export function matchesPerson(text: string, { email, name }: { email: string; name: string }): boolean {
  const [local = '', domain = ''] = email.split('@')
  const parts = `${name} ${local}`.replace(/[!-/:-@[-`{-~]+/g, ' ')
  const words = [name, email, domain, parts].flatMap((part) => part.split(/\s+/)).flatMap(searchWords)
  return searchWords(text).every((word) => words.some((one) => one.startsWith(word)))
}
