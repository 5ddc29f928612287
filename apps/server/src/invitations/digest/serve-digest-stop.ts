import { isolated } from '@parley/rules/text/isolated-text'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WithDatabase } from '../../access/service.ts'
import { findAccount, setAnswerDigest } from '../../accounts/account/account-store.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { preferredLanguage } from '../../platform/http/content-negotiation.ts'
import { html } from '../../platform/http/html.ts'
import { sendPage } from '../../server-pages/page.ts'
import { serveGuestPages } from '../guest-pages.ts'
import { personOfToken } from '../guest-token.ts'
import { unknownInvitationPage } from '../refusal-pages.ts'
import { wordsIn } from '../words/in-language.ts'
import { digestResumePath, digestStopPath } from './digest-link.ts'

/**
 * Serve the page behind the unsubscribe link of a digest. Opening it changes nothing; the button, or the one-click
 * request of a mail program (RFC 8058), switches the digest off in the host's profile, and another press undoes that.
 */
export function serveDigestStop(http: FastifyInstance, service: WithDatabase): void {
  serveGuestPages(http, service, (pages) => {
    const set = (on: boolean) => async (request: FastifyRequest, reply: FastifyReply) => {
      const found = await findHost(service, request)
      if (found !== undefined) await setAnswerDigest(service.database, found.account.id, on, service.clock.now())
      return show(service, request, reply)
    }
    pages.get(digestStopPath, (request, reply) => show(service, request, reply))
    pages.post(digestStopPath, set(false))
    pages.post(digestResumePath, set(true))
  })
}

async function show(service: WithDatabase, request: FastifyRequest, reply: FastifyReply) {
  const spoken = preferredLanguage(request.headers['accept-language'] ?? '') ?? 'en'
  const found = await findHost(service, request)
  if (found === undefined) return sendPage(reply, unknownInvitationPage(spoken, request.id))
  const { account, token } = found
  const language = account.language || spoken
  const { digest } = wordsIn(language)
  const isOn = account.settings.answerDigest === true
  const address = isolated(language, account.email)
  const path = `/digest/${account.id}/${token}`
  return sendPage(reply, {
    status: 200,
    title: digest.title,
    language,
    forms: true,
    main: html`<h1>${digest.title}</h1>
${isOn ? html`<p>${digest.ask(address)}</p>` : html`<p role="status"><strong>${digest.stopped(address)}</strong></p>`}
<form method="post" action="${isOn ? path : `${path}/resume`}" class="stacked">
<button${isOn ? html` class="primary"` : undefined}>${isOn ? digest.stop : digest.resume}</button>
</form>`,
  })
}

/** Find the account to which the token belongs. Undefined when there is none, or it has been deleted. */
async function findHost({ database, encryption }: WithDatabase, { params }: FastifyRequest) {
  const { accountId, token } = params as Record<'accountId' | 'token', string>
  const account = isUuid(accountId) ? await findAccount(database, accountId) : undefined
  if (account === undefined || account.deletedAt !== null) return undefined
  const named = { subjectId: account.id, token }
  const host = personOfToken(encryption, 'answer digest link', named, [{ addressKey: account.emailKey }])
  return host && { account, token: encodeURIComponent(token) }
}
