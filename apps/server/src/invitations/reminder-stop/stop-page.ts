import { isolated } from '@parley/rules/text/isolated-text'
import type { Language } from '@parley/texts/languages'
import { html } from '../../platform/http/html.ts'
import type { Page } from '../../server-pages/page.ts'
import { wordsIn } from '../words/in-language.ts'

type StopPageContent = {
  language: Language
  topic: string
  email: string
  isStopped: boolean
  /** The target of the button: stop, or undo. */
  action: string
}

/** Ask for a button press, because mail scanners follow links. Shows the current state, and offers to undo it. */
export function stopPage({ language, topic, email, isStopped, action }: StopPageContent): Page {
  const { reminders } = wordsIn(language)
  const address = isolated(language, email)
  return {
    status: 200,
    title: reminders.title,
    language,
    forms: true,
    main: html`<h1 dir="auto">${topic}</h1>
${isStopped ? html`<p role="status"><strong>${reminders.stopped(address)}</strong></p>` : html`<p>${reminders.ask(address)}</p>`}
<form method="post" action="${action}" class="stacked">
<button${isStopped ? undefined : html` class="primary"`}>${isStopped ? reminders.resume : reminders.stop}</button>
</form>`,
  }
}
