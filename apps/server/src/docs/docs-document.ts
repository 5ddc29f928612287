import { type Html, html } from '../platform/http/html.ts'
import { readPageStyle } from '../server-pages/page-style.ts'
import { docPages } from './doc-pages.ts'
import type { Heading } from './render-markdown.ts'

const style = readPageStyle(new URL('docs-style.css', import.meta.url))

/** Allows text, this style sheet and our own icon; no script, no form, no third-party content. */
export const docsSecurityPolicy = [
  "default-src 'none'",
  `style-src ${style.source}`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ')

type DocsDocument = {
  title: string
  /** The name of the current page; none for the list of all pages. */
  current?: string
  headings: readonly Heading[]
  body: Html
}

/** Build a whole page, without scripts. The language of docs/ is English. */
export const docsDocument = ({ title, current, headings, body }: DocsDocument): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Parley</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
${current && html`<link rel="alternate" type="text/markdown" href="/docs/${current}.md">`}
<style>${style.sheet}</style>
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header>
<a class="brand" href="/"><span></span>Parley</a>
<nav aria-label="Documentation">
<ul>
<li>${entry('/docs', 'All pages', current === undefined)}</li>
${docPages.map(({ name, label }) => html`<li>${entry(`/docs/${name}`, label, current === name)}</li>\n`)}
<li>${entry('/reference', 'API reference', false)}</li>
</ul>
</nav>
</header>
<div class="layout">
${tableOfContents(headings)}
<main id="content" tabindex="-1">
${body}
</main>
</div>
<footer>
${current && html`<p><a href="/docs/${current}.md">This page as Markdown</a></p>`}
</footer>
</body>
</html>
`

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
