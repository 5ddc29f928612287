import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { directionOf, type Language } from '@parley/rules/text/language'
import type { FastifyReply } from 'fastify'
import { Html, html } from '../platform/http/html.ts'

const style = readFileSync(new URL('page-style.css', import.meta.url), 'utf8')
const styleHash = hash('sha256', style, 'base64')

/** A script that stands in a page, known to the page's policy by its content; it may ask our own origin, and nothing else. */
export type PageScript = { source: Html; hash: string }

export const createPageScript = (source: string): PageScript => ({
  source: new Html(source),
  hash: hash('sha256', source, 'base64'),
})

const scriptPolicy = (script: PageScript | undefined) =>
  script === undefined ? '' : `; script-src 'sha256-${script.hash}'; connect-src 'self'`

/**
 * A page may show text, this one style and pictures of ours, and nothing else: no frame, nothing of anybody else's, and no
 * script but the one that the page names. `form-action` is left out where there is a form: browsers hold it against the redirect that answers the form as
 * well, and that one leads to the app (oauth.md 6.9).
 */
const contentSecurityPolicy = ({ forms, script }: Pick<Page, 'forms' | 'script'>) =>
  `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'${
    forms ? '' : "; form-action 'none'"
  }${scriptPolicy(script)}`

export type Page = {
  status: number
  /** What the tab shows and a screen reader says first. */
  title: string
  main: Html
  /** Whether somebody fills something in here. */
  forms?: boolean
  /** Adds to a page that works without it. */
  script?: PageScript
  /** English when absent. */
  language?: Language
}

/** Answers with a whole page in the look of the product. */
export const sendPage = (reply: FastifyReply, { status, title, main, forms = false, script, language = 'en' }: Page) =>
  reply
    .status(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy({ forms, ...(script && { script }) }),
    })
    .send(
      html`<!doctype html>
<html lang="${language}"${directionOf(language) === 'rtl' ? html` dir="rtl"` : undefined}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title} – Parley</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<style>${new Html(style)}</style>
</head>
<body>
<header class="product"><span></span>Parley</header>
<main>
${main}
</main>${script && html`<script>${script.source}</script>`}
</body>
</html>
`.markup,
    )
