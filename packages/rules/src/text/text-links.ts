/** Plain text, or a clickable address in it. */
type TextPart = { text: string; href?: string }

/**
 * Web pages and mail addresses; no scripts (`javascript:`) and no schemes that start programs or read files (`tel:`,
 * `file:`).
 */
const address = /\b(?:https?:\/\/|mailto:)[^\s<>"'“”‘’«»]+/gi
/** Punctuation that ends a sentence rather than an address. */
const sentenceEnd = new Set('.,;:!?…。，؟،')

/** The parts of a text in order; joined, they are the text. */
export function splitLinks(message: string): TextPart[] {
  const parts: TextPart[] = []
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

/** Remove trailing punctuation, and closing brackets that were opened before the address, in linear time. */
function trimEnd(found: string): string {
  const count = (brackets: RegExp) => found.match(brackets)?.length ?? 0
  let unopened = count(/[)\]}]/g) - count(/[([{]/g)
  let end = found.length
  for (; end > 0; end--) {
    const last = found.charAt(end - 1)
    if (')]}'.includes(last) && unopened > 0) unopened--
    else if (!sentenceEnd.has(last)) break
  }
  return found.slice(0, end)
}

function safeHref(text: string): string | undefined {
  const url = URL.parse(text)
  if (url === null) return undefined
  if (url.protocol === 'mailto:') return isMailTo(url) ? url.href : undefined
  return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : undefined
}

/** One recipient only: a link must not fill in copies or a text in the reader's name. */
function isMailTo({ pathname, search, hash }: URL): boolean {
  return search === '' && hash === '' && /^[^@,;%]+@[^@,;%]+$/.test(pathname)
}
