import highlight from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import go from 'highlight.js/lib/languages/go'
import http from 'highlight.js/lib/languages/http'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import nginx from 'highlight.js/lib/languages/nginx'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import sql from 'highlight.js/lib/languages/sql'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import MarkdownIt from 'markdown-it'
import { Html, html } from '../platform/http/html.ts'
import { readPageStyle } from '../server-pages/page.ts'
import { audiences, docPages, startPage } from './doc-pages.ts'

/** By the names and aliases of highlight.js. */
const languages = { bash, go, http, ini, java, javascript, json, nginx, php, python, sql, typescript, xml, yaml }
for (const [name, language] of Object.entries(languages)) highlight.registerLanguage(name, language)

const style = readPageStyle(new URL('docs-style.css', import.meta.url))

/** Allows text, this style sheet, our own icon, fonts and scripts; no form, no third-party content. */
export const docsSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  `style-src ${style.source}`,
  "img-src 'self'",
  "font-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

type DocsDocument = {
  title: string
  /** The name of the current page; none for a page that is not in the navigation. */
  current?: string
  headings: readonly Heading[]
  body: Html
}

/** Build a whole page, which is complete without scripts. The language of docs/ is English. */
export const docsDocument = ({ title, current, headings, body }: DocsDocument): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Parley</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${current && html`<link rel="alternate" type="text/markdown" href="${sourceOf(current)}">`}
<script type="module" src="/docs/docs-page.js"></script>
<style>${style.sheet}</style>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="/"><span></span>Parley</a>
<form role="search" hidden>
<input type="search" aria-label="Search the documentation" aria-controls="results" placeholder="Search the documentation" autocomplete="off" spellcheck="false" maxlength="200">
<p role="status"></p>
<ol id="results" hidden></ol>
</form>
</header>
<div class="layout">
<details class="pages">
<summary>All pages</summary>
<nav aria-label="Documentation">
<ul>
<li>${entry('/docs', startPage.label, current === startPage.name)}</li>
</ul>
${audiences.map(
  ({ name: audience, title: group }) => html`<h2>${group}</h2>
<ul>
${docPages.filter((page) => page.audience === audience).map(({ name, label }) => html`<li>${entry(`/docs/${name}`, label, current === name)}</li>\n`)}
${audience === 'developers' ? html`<li>${entry('/reference', 'API reference', false)}</li>` : undefined}
</ul>
`,
)}
</nav>
</details>
<main id="content" tabindex="-1">
${body}
</main>
${tableOfContents(headings)}
</div>
<footer>
${current && html`<p><a href="${sourceOf(current)}">This page as Markdown</a></p>`}
</footer>
</body>
</html>
`

const sourceOf = (name: string) => `/docs/${name === startPage.name ? 'index' : name}.md`

const entry = (address: string, text: string, isCurrent: boolean) =>
  html`<a href="${address}"${isCurrent ? html` aria-current="page"` : undefined}>${text}</a>`

/** The sections of a page, when there are enough to need a list. */
function tableOfContents(headings: readonly Heading[]): Html | undefined {
  const sections = headings.filter(({ level }) => level === 2)
  if (sections.length < 3) return undefined
  return html`<nav class="contents" aria-labelledby="contents">
<h2 id="contents">On this page</h2>
<ul>
${sections.map(({ anchor, text }) => html`<li><a href="#${anchor}">${text}</a></li>\n`)}
</ul>
</nav>`
}

type Heading = { level: number; anchor: string; text: string }
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
    const page = target.replace(/^([\w-]+)\.md(?=#|$)/, '/docs/$1')
    token.attrSet('href', page.replace(`/docs/${startPage.name}`, '/docs'))
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
  const language = info.trim()
  const markup = highlight.getLanguage(language)
    ? highlight.highlight(content, { language }).value
    : markdown.utils.escapeHtml(content)
  return `<pre tabindex="0" role="group" aria-label="Code"><code>${markup}</code></pre>`
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

/** A page's text under one of its headings, without markup. */
type PageSection = { anchor: string; isTitle: boolean; heading: string; text: string }

/** Divide a page at its headings. */
export function readSections(text: string): PageSection[] {
  const sections: PageSection[] = []
  const env: Env = { taken: new Map(), headings: [], title: '' }
  const tokens = markdown.parse(text, env)
  for (const [at, { type, tag, content, children }] of tokens.entries()) {
    if (type === 'heading_open') {
      const { anchor, text: heading } = env.headings[sections.length] ?? { anchor: '', text: '' }
      sections.push({ anchor, isTitle: tag === 'h1', heading, text: '' })
    }
    const section = sections.at(-1)
    if (section === undefined || tokens[at - 1]?.type === 'heading_open') continue
    if (type === 'inline') section.text += `${plainText(children ?? [])} `
    if (type === 'fence') section.text += `${content} `
  }
  return sections
}
