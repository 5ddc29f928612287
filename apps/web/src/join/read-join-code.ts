/** What a user has typed or pasted to join a meeting. */
type JoinCode =
  | { kind: 'code'; code: string; pin: string | undefined }
  | { kind: 'elsewhere'; host: string }
  | { kind: 'unreadable' }

const link = /(?:https?:\/\/)?([\w.-]+(?::\d+)?|\[[\da-f:]+\](?::\d+)?)?\/(?:j|add)\/([1-9]\d{9})(?:#(\S*))?/i
const codeAndPin = /^([1-9]\d{9})(?:pin[:=]?)?([2-9a-z]{6})?$/i

/** Characters that mails, phones and chats put between digits: spaces of all kinds, dashes, direction marks. */
const between = /[\s\p{Cf}\p{Pd}.,()]/gu

/**
 * Parse a code in any grouping, with or without its PIN after it, or a link anywhere in the text; `ownHost` is this
 * service's host.
 */
export function readJoinCode(text: string, ownHost: string): JoinCode {
  const plain = withPlainDigits(text)
  const [found, host, linked, fragment = ''] = link.exec(plain.replaceAll(/\p{Cf}/gu, '')) ?? []
  if (found !== undefined && linked !== undefined) {
    if (host !== undefined && host.toLowerCase() !== ownHost.toLowerCase()) return { kind: 'elsewhere', host }
    return { kind: 'code', code: linked, pin: new URLSearchParams(fragment).get('pin') ?? undefined }
  }
  const [, code, pin] = codeAndPin.exec(plain.replaceAll(between, '')) ?? []
  return code === undefined ? { kind: 'unreadable' } : { kind: 'code', code, pin }
}

/** Map Arabic-Indic and Devanagari digits to ASCII; each block of ten begins with its zero. */
const withPlainDigits = (text: string): string =>
  text.replaceAll(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g, (digit) => {
    const block = [0x660, 0x6f0, 0x966].find((zero) => {
      const value = (digit.codePointAt(0) ?? 0) - zero
      return value >= 0 && value <= 9
    })
    return String((digit.codePointAt(0) ?? 0) - (block ?? 0))
  })
