export type PlainTextLimits = {
  /** Characters that must be left after trimming; 0 when absent. */
  minLength?: number
  maxLength: number
  /** Tabs and line ends are taken too. */
  lines?: boolean
}

/** What is wrong, and a sentence's end that goes after the field's name: `topic must have at most 250 characters.` */
export type PlainTextViolation = { code: 'too_short' | 'too_long' | 'control_character'; message: string }

/**
 * Control characters, which no reader shows and some obey: C0, DEL, C1. With them the two overrides of writing
 * direction, by which a text reads as another one; marks, embeddings and isolates are left, right-to-left text needs
 * them. A single line holds no end of a line either, also not Unicode's own.
 */
const forbiddenInALine = /[\p{Cc}\u2028\u2029\u202d\u202e]/u
const forbiddenInLines = /[[\p{Cc}--[\t\n\r]]\u202d\u202e]|\r(?!\n)/v

/**
 * How long a text may be with the spaces around it. Limits count after trimming while the text is kept as it was sent, so
 * without this a topic of five letters could take a megabyte.
 */
export const maxUntrimmedLength = (maxLength: number) => 2 * maxLength + 100

/**
 * Validates a text that people read, such as a name or a topic. Characters are code points, and are counted after trimming.
 * The text itself is kept as it was sent.
 */
export function findPlainTextViolation(text: string, limits: PlainTextLimits): PlainTextViolation | undefined {
  const { minLength = 0, maxLength, lines = false } = limits
  if (isLongerThan(maxUntrimmedLength(maxLength), text)) return untrimmedTooLong(maxLength)
  const length = lengthInCharacters(text.trim())
  if (length < minLength) {
    return {
      code: 'too_short',
      message: minLength === 1 ? 'must not be empty' : `must have at least ${minLength} characters`,
    }
  }
  if (length > maxLength) return { code: 'too_long', message: `must have at most ${maxLength} characters` }
  if ((lines ? forbiddenInLines : forbiddenInALine).test(text)) {
    return {
      code: 'control_character',
      message: lines
        ? 'must not hold control characters other than tabs and line ends'
        : 'must not hold control characters or line ends',
    }
  }
  return undefined
}

/** The fault of a text that is too long with the spaces around it, whatever is left after trimming. */
export const untrimmedTooLong = (maxLength: number): PlainTextViolation => ({
  code: 'too_long',
  message: `must have at most ${maxLength} characters, and ${maxUntrimmedLength(maxLength)} with the spaces around them`,
})

/** A code point has two code units at most, so a text that is far too long is not read through. */
const isLongerThan = (characters: number, text: string) =>
  text.length > 2 * characters || lengthInCharacters(text) > characters

/** Code points: an emoji outside the first plane is one character, not two. */
export function lengthInCharacters(text: string): number {
  const pairs = text.match(/[\ud800-\udbff][\udc00-\udfff]/g)
  return text.length - (pairs?.length ?? 0)
}
