import type { Language } from '@parley/texts/languages'
import { html } from '../platform/http/html.ts'
import { errorPage } from '../server-pages/error-page.ts'
import type { Page } from '../server-pages/page.ts'
import { wordsIn } from './words/in-language.ts'

export const unknownInvitationPage = (language: Language, requestId: string): Page => {
  const { unknownTitle, unknown, advice } = wordsIn(language).page
  return refusalPage(404, unknownTitle, unknown, advice, language, requestId)
}

export const meetingOverPage = (language: Language, requestId: string): Page => {
  const { overTitle, over, advice } = wordsIn(language).page
  return refusalPage(410, overTitle, over, advice, language, requestId)
}

const refusalPage = (
  status: number,
  title: string,
  happened: string,
  advice: string,
  language: Language,
  requestId: string,
): Page => ({
  status,
  title,
  language,
  main: html`<h1>${title}</h1>
<p>${happened}</p>
<p>${advice}</p>
<p class="muted small"><code>${requestId}</code></p>`,
})

/** Show a server error. */
export const serverErrorPage = (status: number, happened: string, requestId: string): Page =>
  errorPage(
    {
      status,
      happened,
      title: 'Something went wrong',
      fixer: 'administrator',
      advice: 'Try again soon. If it keeps happening, tell the administrator the request ID below.',
    },
    requestId,
  )
