/** Markup that is safe to send: only `html` makes it. */
export class Html {
  readonly markup: string

  constructor(markup: string) {
    this.markup = markup
  }
}

type HtmlValue = string | number | Html | undefined | readonly HtmlValue[]

/**
 * Build markup. Values that are not markup are escaped, in text and in quoted attributes; a list is concatenated,
 * `undefined` is empty. Never insert a value into a tag or attribute name, an unquoted attribute, a script or a style,
 * where escaping does not help.
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

/** Fill the placeholders of a text, such as `{{name}}`, with markup or with text; all text is escaped. */
export function fillHtml(text: string, values: Readonly<Record<string, HtmlValue>>): Html {
  const parts = text.split(/\{\{(\w+)\}\}/)
  const filled = (name: string) => {
    if (!Object.hasOwn(values, name)) throw new Error(`No value for {{${name}}} of "${text}".`)
    return markupOf(values[name])
  }
  return new Html(parts.map((part, at) => (at % 2 === 0 ? escaped(part) : filled(part))).join(''))
}

const references: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escaped = (text: string) => text.replaceAll(/[&<>"']/g, (character) => references[character] ?? '')
