/** RFC 5545, 3.1: octets in a line, without its line break. */
const maxLineLength = 75

/** Control characters other than tab are not allowed in any value (RFC 5545, 3.1). */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is taken out
const controlProtocol = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g
const lineEnd = /\r\n|\r|\n/g

/** Parameters by name. Undefined ones are left out, and several values form a list. */
type Parameters = Record<string, string | readonly string[] | undefined>

/** Compose a property, not folded. `value` is used unchanged: pass texts through `text`. */
export function property(name: string, value: string, parameters: Parameters = {}): string {
  const written = Object.entries(parameters).flatMap(([key, said]) =>
    said === undefined ? [] : [`;${key}=${[said].flat().map(parameterValue).join(',')}`],
  )
  return `${name}${written.join('')}:${value}`
}

/** A value of type TEXT (RFC 5545, 3.3.11). */
export const text = (value: string): string =>
  value
    .replaceAll(/[\\;,]/g, '\\$&')
    .replaceAll(lineEnd, '\\n')
    .replaceAll(controlProtocol, '')

/** An email address as CAL-ADDRESS: a URI, in which these characters are reserved (RFC 6068, 2). */
export const calendarAddress = (email: string): string =>
  `mailto:${encodeURI(email).replaceAll(/[/?#]/g, (character) => encodeURIComponent(character))}`

/** Encode quotation marks and line breaks (RFC 6868); quote values with separators (RFC 5545, 3.2). */
function parameterValue(value: string): string {
  const encoded = value
    .replaceAll('^', '^^')
    .replaceAll('"', "^'")
    .replaceAll(lineEnd, '^n')
    .replaceAll(controlProtocol, '')
  return /[^\w.+/-]/.test(encoded) ? `"${encoded}"` : encoded
}

/** End each line with CRLF and fold it without splitting a character (RFC 5545, 3.1). */
export const foldLines = (lines: readonly string[]): string => lines.map((line) => `${fold(line)}\r\n`).join('')

function fold(line: string): string {
  // In bytes, because a slice of them costs the same wherever the line is long. A string of ASCII is its own bytes.
  const octets = Buffer.byteLength(line) === line.length ? line : Buffer.from(line)
  if (octets.length <= maxLineLength) return line
  const slices: string[] = []
  let start = 0
  while (start < octets.length) {
    // Each line but the first begins with a space.
    const end = characterStart(octets, Math.min(start + maxLineLength - (start === 0 ? 0 : 1), octets.length))
    slices.push(octets.slice(start, end).toString())
    start = end
  }
  return slices.join('\r\n ')
}

/** The start of the character to which an octet belongs (RFC 3629, 3: the others begin with the bits 10). */
function characterStart(octets: string | Buffer, index: number): number {
  let start = index
  if (typeof octets === 'string') return start
  while (((octets[start] ?? 0) & 0b1100_0000) === 0b1000_0000) start--
  return start
}

/**
 * Cut a text so that its value takes at most so many octets in folded lines, between characters; the same text when
 * all of it fits.
 */
export function cutText(value: string, maxOctets: number): string {
  // Folding adds three octets to each line.
  let left = Math.floor((maxOctets * (maxLineLength - maxCharacterLength)) / (maxLineLength + 3))
  let length = 0
  for (const character of value) {
    left -= lengthOfCharacter(character.codePointAt(0) ?? 0) + (escaped.test(character) ? 1 : 0)
    if (left < 0) return value.slice(0, length)
    length += character.length
  }
  return value
}

const maxCharacterLength = 4
const escaped = /[\\;,\r\n]/

/** In octets of UTF-8. */
const lengthOfCharacter = (codePoint: number): number => {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint < 0x1_0000 ? 3 : 4
}
