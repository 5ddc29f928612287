import type { Language } from '@parley/rules/text/language'
import { html } from '../platform/http/html.ts'
import { type Fixer, frameTexts } from './frame-texts.ts'
import type { Page } from './page.ts'

/** Something that ends here: what happened, and who can do what about it. */
export type PageError = {
  status: number
  title: string
  happened: string
  fixer: Fixer
  advice: string
}

/** Where somebody can go on from here. */
export type WayOn = { address: string; text: string }

/** The request id leads from what a person reads to us to the line in the log, and in the app's event log. */
export const errorPage = (
  { status, title, happened, fixer, advice }: PageError,
  requestId: string,
  wayOn?: WayOn,
  language: Language = 'en',
): Page => ({
  status,
  title,
  language,
  main: html`<h1>${title}</h1>
<p>${happened}</p>
<h2>${frameTexts(language).fixers[fixer]}</h2>
<p>${advice}</p>
${wayOn && html`<p><a class="button" href="${wayOn.address}">${wayOn.text}</a></p>`}
<p class="muted small">${frameTexts(language).requestId} <code>${requestId}</code></p>`,
})
