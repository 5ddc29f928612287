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
  if (Buffer.byteLength(line) <= maxLineLength) return line
  let folded = ''
  let octets = 0
  for (const character of line) {
    const size = Buffer.byteLength(character)
    if (octets + size > maxLineLength) {
      folded += '\r\n '
      octets = 1 // the leading space of the next line
    }
    folded += character
    octets += size
  }
  return folded
}
