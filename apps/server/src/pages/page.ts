import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { directionOf, type Language } from '@parley/rules/language'
import type { FastifyReply } from 'fastify'
import { Html, html } from '../platform/html.ts'

const style = readFileSync(new URL('page-style.css', import.meta.url), 'utf8')
const styleHash = hash('sha256', style, 'base64')

/**
 * A page may show text, this one style and pictures of ours, and nothing else: no script, no frame, nothing of anybody
 * else's. `form-action` is left out where there is a form: browsers hold it against the redirect that answers the form as
 * well, and that one leads to the app (oauth.md 6.9).
 */
const contentSecurityPolicy = (forms: boolean) =>
  `default-src 'none'; style-src 'sha256-${styleHash}'; img-src 'self'; base-uri 'none'; frame-ancestors 'none'${
    forms ? '' : "; form-action 'none'"
  }`

export type Page = {
  status: number
  /** What the tab shows and a screen reader says first. */
  title: string
  main: Html
  /** Whether somebody fills something in here. */
  forms?: boolean
  /** English when absent. */
  language?: Language
}

/** Answers with a whole page in the look of the product. */
export const sendPage = (reply: FastifyReply, { status, title, main, forms = false, language = 'en' }: Page) =>
  reply
    .status(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy(forms),
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
<style>${new Html(style)}</style>
</head>
<body>
<header class="product"><span></span>Parley</header>
<main>
${main}
</main>
</body>
</html>
`.markup,
    )
