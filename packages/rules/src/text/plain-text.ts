import { type Parsed, refuse } from './parsed.ts'
import { violationAt } from './violation.ts'

export type PlainTextLimits = {
  /** Minimum number of characters after trimming; 0 when absent. */
  minLength?: number
  maxLength: number
  /** Allow tabs and line breaks. */
  lines?: boolean
}

/** `message` completes a sentence that begins with the field's name: `topic must have at most 250 characters.` */
export type PlainTextViolation = { code: 'too_short' | 'too_long' | 'control_character'; message: string }

/**
 * Control characters, which are invisible and may be executed: C0, DEL, C1. Also the two directional overrides, which
 * make a text read as another one; marks, embeddings and isolates are allowed, because right-to-left text needs them. A
 * single line must not contain a line break, including Unicode's own.
 */
const forbiddenInALine = /[\p{Cc}\u2028\u2029\u202d\u202e]/u
const forbiddenInLines = /[[\p{Cc}--[\t\n\r]]\u202d\u202e]|\r(?!\n)/v

/**
 * The maximum length including surrounding spaces. Limits count after trimming, and the text is stored as it was sent,
 * so without this a topic of five letters could take a megabyte.
 */
export const maxUntrimmedLength = (maxLength: number) => 2 * maxLength + 100

/**
 * Validate a text that people read, such as a name or a topic. Characters are code points, counted after trimming. The
 * text itself is stored as it was sent.
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

/** The violation of a text that is too long including its surrounding spaces. */
export const untrimmedTooLong = (maxLength: number): PlainTextViolation => ({
  code: 'too_long',
  message: `must have at most ${maxLength} characters, and ${maxUntrimmedLength(maxLength)} with the spaces around them`,
})

/** A code point has at most two code units, so a text that is far too long need not be read. */
const isLongerThan = (characters: number, text: string) =>
  text.length > 2 * characters || lengthInCharacters(text) > characters

/** The length in code points: an emoji outside the first plane is one character, not two. */
export function lengthInCharacters(text: string): number {
  const pairs = text.match(/[\ud800-\udbff][\udc00-\udfff]/g)
  return text.length - (pairs?.length ?? 0)
}

/** Read a text for people at a JSON Pointer of a request. */
export function readPlainText(path: string, text: string, limits: PlainTextLimits): Parsed<string> {
  const violation = findPlainTextViolation(text, limits)
  return violation === undefined ? { value: text } : refuse(violationAt(path, violation))
}
