import type { Language } from '@parley/texts/languages'
import { html } from '../platform/http/html.ts'
import { textsIn } from '../platform/texts.ts'
import type { Page } from './page.ts'

/** The person who can fix the error. */
type Fixer = 'visitor' | 'developer' | 'administrator'

/** An error page: what happened, and who can fix it. */
export type PageError = {
  status: number
  title: string
  happened: string
  fixer: Fixer
  advice: string
  /** The client that the page is about, by the host of its document. */
  clientHost?: string
  /** What exactly is wrong, for the developer: an English sentence, which may quote what another server sent. */
  detail?: string
}

/** A link to continue. */
export type NextAction = { address: string; text: string }

/** The request ID connects a person's report with the log line and with the app's event log. */
export const errorPage = (
  { status, title, happened, fixer, advice, clientHost, detail }: PageError,
  requestId: string,
  wayOn?: NextAction,
  language: Language = 'en',
): Page => ({
  status,
  title,
  language,
  main: html`<h1>${title}</h1>
${
  clientHost !== undefined
    ? html`<p><strong class="host"><bdi dir="ltr">${clientHost}</bdi></strong></p>
`
    : undefined
}<p>${happened}</p>
<h2>${textsIn(language, 'error-pages')(`fixers.${fixer}`)}</h2>
<p>${advice}</p>
${detail !== undefined ? html`<p class="small" lang="en" dir="ltr"><code>${detail}</code></p>` : undefined}${wayOn && html`<p><a class="button" href="${wayOn.address}">${wayOn.text}</a></p>`}
<p class="muted small">${textsIn(language, 'error-pages')('requestId')} <code>${requestId}</code></p>`,
})
