import MarkdownIt from 'markdown-it'
import { Html } from '../platform/http/html.ts'
import { docPages } from './doc-pages.ts'

export type Heading = { level: number; anchor: string; text: string }
type Rendered = { title: string; headings: Heading[]; body: Html }

/** HTML in the text is escaped, and `javascript:` links are refused, both by the library's own rules. */
const markdown = new MarkdownIt('default', { html: false, linkify: false, typographer: false })

type Env = { taken: Map<string, number>; headings: Heading[]; title: string }
type Tokens = ReturnType<typeof markdown.parse>

markdown.core.ruler.push('anchors', ({ tokens, env }) => {
  const { taken, headings } = env as Env
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'heading_open') continue
    const text = plainText(tokens[at + 1]?.children ?? [])
    const anchor = newAnchor(text, taken)
    token.attrSet('id', anchor)
    headings.push({ level: Number(token.tag.slice(1)), anchor, text })
  }
})

/** Turn links between files into links between pages. */
markdown.core.ruler.push('links', ({ tokens }) => {
  for (const token of tokens.flatMap(({ children }) => children ?? [])) {
    if (token.type !== 'link_open') continue
    const target = String(token.attrGet('href'))
    token.attrSet('href', target.replace(/^([\w-]+)\.md(?=#|$)/, '/docs/$1'))
  }
  for (const { children } of tokens) {
    for (const [at, token] of children?.entries() ?? []) {
      if (children?.[at - 1]?.type === 'link_open') token.content = labelOf(token.content)
    }
  }
})

/** Replace a link text that is a file name by the page's label. */
const labelOf = (text: string): string => docPages.find(({ name }) => text === `${name}.md`)?.label ?? text

/** Wide tables scroll on their own; a focusable element can be scrolled with the keyboard. */
markdown.renderer.rules.table_open = () =>
  '<div class="wide-content" tabindex="0" role="group" aria-label="Table"><table>'
markdown.renderer.rules.table_close = () => '</table></div>'
markdown.renderer.rules.fence = (tokens, at) => {
  const { content = '', info = '' } = tokens[at] ?? {}
  const name = /^\w+$/.test(info.trim()) ? ` data-language="${info.trim()}"` : ''
  return `<pre tabindex="0" role="group" aria-label="Code"${name}><code>${markdown.utils.escapeHtml(content)}</code></pre>`
}

/** Render a page of docs/. Its first heading becomes its title. */
export function renderMarkdown(text: string): Rendered {
  const env: Env = { taken: new Map(), headings: [], title: '' }
  const body = new Html(markdown.render(text, env))
  return { title: env.headings[0]?.text ?? '', headings: env.headings, body }
}

/**
 * Make an anchor as common Markdown viewers do: lower case, no punctuation, dashes for spaces, numbered when repeated.
 */
function newAnchor(text: string, taken: Map<string, number>): string {
  const plain = text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
  const before = taken.get(plain) ?? 0
  taken.set(plain, before + 1)
  return before === 0 ? plain : `${plain}-${before}`
}

const plainText = (tokens: Tokens): string =>
  tokens.map(({ type, content }) => (type === 'text' || type === 'code_inline' ? content : '')).join('')
