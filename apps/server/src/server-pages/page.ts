import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { OrganisationLook } from '@parley/contract'
import { directionOf, type Language } from '@parley/texts/languages'
import type { FastifyReply } from 'fastify'
import { fontFaces, fontPreload } from '../platform/http/fonts.ts'
import { Html, html } from '../platform/http/html.ts'
import { productName } from '../platform/product-name.ts'

/** An inline style sheet, and the source that allows it in a content security policy. */
type PageStyle = { sheet: Html; source: string }

const readSheet = (file: URL) => readFileSync(file, 'utf8')
const baseSheet = readSheet(new URL('base-style.css', import.meta.url))

/** Read a style sheet and put it behind the fonts and the style sheet that all pages share. */
export function readPageStyle(file: URL): PageStyle {
  const sheet = fontFaces + baseSheet + readSheet(file)
  return { sheet: new Html(sheet), source: `'sha256-${hash('sha256', sheet, 'base64')}'` }
}

const style = readPageStyle(new URL('page-style.css', import.meta.url))

/** An inline script, which the page's policy allows by its hash; it may call our own origin only. */
type PageScript = { source: Html; hash: string }

export const createPageScript = (source: string): PageScript => ({
  source: new Html(source),
  hash: hash('sha256', source, 'base64'),
})

const scriptPolicy = (script: PageScript | undefined) =>
  script === undefined ? '' : `; script-src 'sha256-${script.hash}'; connect-src 'self'`

/**
 * A page may show text, this style sheet, our own images and fonts, and nothing else: no frames, no third-party content, and
 * no script except the one that the page names. `form-action` is left out when there is a form: browsers also apply it
 * to the redirect after the form, which leads to the app.
 */
const contentSecurityPolicy = ({ forms, script }: Pick<Page, 'forms' | 'script'>, lookStyle: PageStyle | undefined) =>
  `default-src 'none'; style-src ${[style, lookStyle].flatMap((one) => one?.source ?? []).join(' ')}; img-src 'self'; base-uri 'none'; frame-ancestors 'none'${
    forms ? '' : "; form-action 'none'"
  }; font-src 'self'${scriptPolicy(script)}`

export type Page = {
  status: number
  /** Shown in the tab, and read first by screen readers. */
  title: string
  main: Html
  /** Whether the page contains a form. */
  forms?: boolean
  /** A progressive enhancement: the page works without it. */
  script?: PageScript
  /** English when absent. */
  language?: Language
  /** The look of the organisation that the page belongs to; the product's without. */
  look?: OrganisationLook | null
}

/** Send a whole page in the product's design. */
export function sendPage(
  reply: FastifyReply,
  { status, title, main, forms = false, script, language = 'en', look }: Page,
) {
  const lookStyle = look?.colours ? styleOfColours(look.colours) : undefined
  return reply
    .status(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': contentSecurityPolicy({ forms, ...(script && { script }) }, lookStyle),
      link: fontPreload(language),
    })
    .send(
      html`<!doctype html>
<html lang="${language}"${directionOf(language) === 'rtl' ? html` dir="rtl"` : undefined}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<title>${title} – ${look?.name || productName}</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<style>${style.sheet}</style>${lookStyle && html`<style>${lookStyle.sheet}</style>`}
</head>
<body>
<header class="brand">${brandHtml(look)}</header>
<main>
${main}
</main>${script && html`<script>${script.source}</script>`}
</body>
</html>
`.markup,
    )
}

/** The colours of an organisation in place of the product's, as another style sheet that the policy allows by its hash. */
function styleOfColours({ light, dark }: NonNullable<OrganisationLook['colours']>): PageStyle {
  const rule = ({ accent, hover, onAccent }: typeof light) =>
    `:root{--accent:${accent};--accent-pressed:${hover};--on-accent:${onAccent}}`
  const sheet = `${rule(light)}@media (prefers-color-scheme:dark){${rule(dark)}}`
  return { sheet: new Html(sheet), source: `'sha256-${hash('sha256', sheet, 'base64')}'` }
}

/** The logo and the name of an organisation; without both, the mark and the name of the product. */
function brandHtml(look: OrganisationLook | null | undefined): Html {
  const { name = '', logos } = look ?? {}
  const { light, dark } = logos ?? {}
  if (!light) return name === '' ? html`<span></span>${productName}` : html`<bdi>${name}</bdi>`
  const alternative = name === '' ? productName : ''
  const image = html`<picture>${
    dark ? html`<source srcset="${dark.url}" media="(prefers-color-scheme: dark)">` : undefined
  }<img class="${dark ? 'logo' : 'logo on-plate'}" src="${light.url}" alt="${alternative}" height="32"></picture>`
  return html`${image}${name === '' ? undefined : html`<bdi>${name}</bdi>`}`
}
