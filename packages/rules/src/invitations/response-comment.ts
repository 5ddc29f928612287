/** A short remark that fits beside a name in a list. */
export const maxCommentLength = 500

/**
 * As in texts of requests (plain-text.ts), but the characters are removed, because the sender of a mail is not there to
 * correct them.
 */
const forbidden = /[[\p{Cc}--[\n]]\u202d\u202e\u2028\u2029]/gv
const ellipsis = '…'

/**
 * Read what a guest wrote with a response in a calendar program, as plain text: without control characters, and cut at
 * `maxCommentLength`. Null where nothing is left.
 */
export function readComment(text: string): string | null {
  // A character has at most two code units; the rest of a long text is ignored.
  const head = text.trimStart().slice(0, 4 * maxCommentLength)
  const plain = head
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll('\t', ' ')
    .replaceAll(forbidden, '')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim()
    .toWellFormed()
  if (plain === '') return null
  const characters = [...plain]
  return characters.length <= maxCommentLength
    ? plain
    : `${characters
        .slice(0, maxCommentLength - 1)
        .join('')
        .trimEnd()}${ellipsis}`
}
