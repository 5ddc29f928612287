const wordsOf = (text: string): string[] =>
  text
    .toLocaleLowerCase()
    .split(/[\s,.:;·–-]+/)
    .filter(Boolean)

/** Whether each typed word begins a word of the text, in any order. */
export function matches(text: string, typed: string): boolean {
  const words = wordsOf(text)
  return wordsOf(typed).every((part) => words.some((word) => word.startsWith(part)))
}
