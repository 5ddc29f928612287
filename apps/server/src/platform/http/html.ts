/** Markup that is safe to send: only `html` makes it. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

export type HtmlValue = string | number | Html | undefined | readonly HtmlValue[]

/**
 * Puts markup together. Every value that is not markup itself is escaped, in text and in quoted attributes alike; a list
 * is its items one after the other, `undefined` is nothing. Never put a value into a tag's or an attribute's name, an
 * attribute without quotes, a script or a style: escaping does not help there.
 */
export function html(parts: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(parts.map((part, at) => part + (at < values.length ? markupOf(values[at]) : '')).join(''))
}

function markupOf(value: HtmlValue): string {
  if (value === undefined) return ''
  if (value instanceof Html) return value.markup
  if (typeof value === 'string' || typeof value === 'number') return escaped(String(value))
  return value.map(markupOf).join('')
}

const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => references[character] ?? '')
