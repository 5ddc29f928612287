/** What a command uses of the terminal and the process. */
export type Terminal = {
  env: Readonly<Record<string, string | undefined>>
  /** Results, which other programs may read. */
  print(text: string): void
  /** What is for the person only. */
  note(text: string): void
}

/** The command was called in the wrong way. The message says how to call it. */
export class UsageError extends Error {}

/** What cannot be done now; the message says why, for a person. */
export class CommandError extends Error {}

/** Control characters, which would command the terminal, and characters that turn the direction of writing. */
const commanding = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu

/** Make a text that others have written safe for a terminal. */
export const plain = (text: string): string => text.replaceAll(commanding, '\ufffd')

/** Write a value as JSON that is safe for a terminal: JSON leaves some control characters as they are. */
export const toJson = (value: unknown, space?: number): string =>
  JSON.stringify(value, null, space).replaceAll(/[\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, toEscape)

const toEscape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
