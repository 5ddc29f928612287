import { type InvitationResponse, invitationResponses } from '@parley/contract'
import type { Occurrence, Series } from '@parley/rules/recurrence/recurrence'
import { isolated } from '@parley/rules/text/isolated-text'
import type { Language } from '@parley/texts/languages'
import { html } from '../../platform/http/html.ts'
import type { Page } from '../../server-pages/page.ts'
import { repetition, span } from '../times-in-words.ts'
import { wordsIn } from '../words/in-language.ts'

type ResponsePageContent = {
  language: Language
  timeZone: string
  topic: string
  hostName: string
  series: Series
  /** The date to show: the one that the response is about, or the next one of the meeting. */
  date: Pick<Occurrence, 'startsAt' | 'endsAt'>
  /** Whether the response is about this date only. */
  isOneDate: boolean
  /** The target of each button. */
  addresses: Record<InvitationResponse, string>
  /** The response whose link was opened. */
  chosen: InvitationResponse
  recorded: InvitationResponse | null
}

/** Ask for a button press, because mail scanners follow links. */
export function responsePage(question: ResponsePageContent): Page {
  const { language, timeZone, topic, hostName, series, date, isOneDate, addresses, chosen, recorded } = question
  const words = wordsIn(language)
  return {
    status: 200,
    title: words.question,
    language,
    forms: true,
    main: html`<h1 dir="auto">${topic}</h1>
<p>${words.page.from(isolated(language, hostName))}</p>
<dl class="facts">
<dt>${words.fields.time}</dt><dd>${span(words, date.startsAt, date.endsAt.getTime() - date.startsAt.getTime(), timeZone)}</dd>
${series.rule.repeat === 'none' || isOneDate ? undefined : html`<dt>${words.fields.rule}</dt><dd>${repetition(words, series)}</dd>`}
</dl>
${isOneDate ? html`<p>${words.page.oneDate}</p>` : undefined}
${recorded === null ? undefined : html`<p role="status"><strong>${words.page.recorded[recorded]}</strong></p>`}
<p>${recorded === null ? words.page.press : words.page.changeable}</p>
<form method="post" action="${addresses[chosen]}" class="stacked">
${invitationResponses.map(
  (answer) =>
    html`<button${answer === (recorded ?? chosen) ? html` class="primary"` : undefined} formaction="${addresses[answer]}">${words.answers[answer]}</button>
`,
)}</form>`,
  }
}
