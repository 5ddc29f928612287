/** Words of a message, or an address in it that can be opened. */
export type MessagePart = { text: string; href?: string }

/** Only what a browser opens as a page: neither scripts (`javascript:`) nor programs (`tel:`, `file:`). */
const address = /\bhttps?:\/\/[^\s<>"'“”‘’«»]+/gi
/** What ends a sentence rather than an address. */
const sentenceEnd = /[.,;:!?…。，؟،]+$/u

/** The parts of a message in order; joined, their texts are the message. */
export function partsOf(message: string): MessagePart[] {
  const parts: MessagePart[] = []
  let from = 0
  for (const { 0: found, index } of message.matchAll(address)) {
    const text = trimEnd(found)
    const href = safeHref(text)
    if (href === undefined) continue
    if (index > from) parts.push({ text: message.slice(from, index) })
    parts.push({ text, href })
    from = index + text.length
  }
  return from < message.length ? [...parts, { text: message.slice(from) }] : parts
}

/** Without the end of the sentence, and without a bracket that was opened before the address. */
function trimEnd(found: string): string {
  const text = found.replace(sentenceEnd, '')
  const isUnopened = /[)\]}]$/.test(text) && text.split(/[([{]/).length < text.split(/[)\]}]/).length
  return isUnopened ? trimEnd(text.slice(0, -1)) : text
}

function safeHref(text: string): string | undefined {
  const url = URL.parse(text)
  return url !== null && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined
}
