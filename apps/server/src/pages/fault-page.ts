import { html } from '../platform/html.ts'
import type { Page } from './page.ts'

/** Who can put it right. */
export type Fixer = 'visitor' | 'developer' | 'administrator'

/** Something that ends here: what happened, and who can do what about it. */
export type Fault = {
  status: number
  title: string
  happened: string
  fixer: Fixer
  advice: string
}

const fixers: Record<Fixer, string> = {
  visitor: 'You can fix this',
  developer: 'The app’s developer can fix this',
  administrator: 'The administrator of this service can fix this',
}

/** Where somebody can go on from here. */
export type WayOn = { address: string; text: string }

/** The request id leads from what a person reads to us to the line in the log, and in the app's event log. */
export const faultPage = (
  { status, title, happened, fixer, advice }: Fault,
  requestId: string,
  wayOn?: WayOn,
): Page => ({
  status,
  title,
  main: html`<h1>${title}</h1>
<p>${happened}</p>
<h2>${fixers[fixer]}</h2>
<p>${advice}</p>
${wayOn && html`<p><a class="button" href="${wayOn.address}">${wayOn.text}</a></p>`}
<p class="muted small">Request id: <code>${requestId}</code></p>`,
})
