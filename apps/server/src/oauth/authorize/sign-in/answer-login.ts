import type { FastifyInstance, FastifyReply } from 'fastify'
import { deleteSession } from '../../../access/credentials/session-store.ts'
import type { AccountsService } from '../../../accounts/accounts-service.ts'
import { signInByPasskey } from '../../../accounts/passkeys/sign-in-with-passkey.ts'
import { signInWithPassword } from '../../../accounts/sign-in/sign-in-with-password.ts'
import { soleText } from '../../../platform/http/form.ts'
import { ProblemError } from '../../../platform/http/problem.ts'
import { sendPage } from '../../../server-pages/page.ts'
import type { Tx } from '../../../tables/tables.ts'
import { confirmAccount } from '../authorization-request-store.ts'
import { AuthorizeError } from '../authorize-error-page.ts'
import { createBrowserCookie } from '../browser-cookie.ts'
import { requireOwnForm } from '../csrf.ts'
import { openRequest } from '../open-request.ts'
import { pageLanguage } from '../page-language.ts'
import { formOf, visitOf } from '../page-request.ts'
import { pageTexts } from '../page-texts/in-language.ts'
import type { PageTexts } from '../page-texts/page-texts.ts'
import { findVisitor } from '../visitor.ts'
import { type LoginRefusal, loginPage } from './login-page.ts'
import { readSignInProof } from './sign-in-proof.ts'

/** Signs in for a kept request and leads on. Who was signed in at this browser before is signed out there. */
export function serveAnswerLogin(pages: FastifyInstance, service: AccountsService) {
  const { database, clock, config, random, encryption, sessionCookie } = service
  const browserCookie = createBrowserCookie(config.baseUrl, random)
  pages.post('/oauth2/login', async (request, reply) => {
    const now = clock.now()
    const form = formOf(request)
    const requestId = soleText(form, 'request') ?? ''
    const boundTo = browserCookie.read(request.headers.cookie)
    if (boundTo === undefined) throw new AuthorizeError('form_refused')
    requireOwnForm({ encryption, baseUrl: config.baseUrl }, request, form, { form: 'login', requestId, boundTo })
    const { client } = await openRequest(database, requestId, now)

    const before = await findVisitor(service, request)
    const language = pageLanguage(request, before)
    const email = soleText(form, 'email') ?? ''
    const shown = {
      language,
      requestId,
      csrf: soleText(form, 'csrf') ?? '',
      email,
      appName: client.revision.name,
      providerName: config.provider?.name,
      signUpOpen: config.signUp !== 'closed',
    }
    const texts = pageTexts(language).signIn
    const means = { request: visitOf(request), now }
    const also = async (tx: Tx, account: { id: string }) => {
      await confirmAccount(tx, requestId, account.id)
      if (before !== undefined) await deleteSession(tx, before.account.id, before.sessionId)
    }
    try {
      const proof = readSignInProof(form)
      if (proof.kind === 'missing')
        return sendPage(reply, loginPage({ ...shown, refusal: missing(proof.field, texts) }))
      const session =
        proof.kind === 'passkey'
          ? await signInByPasskey(service, { credential: proof.credential, ...means }, also)
          : await signInWithPassword(service, { ...proof, ...means }, also)
      return reply
        .header('set-cookie', sessionCookie.set(session.token))
        .redirect(`/oauth2/consent?request=${requestId}`, 303)
    } catch (error) {
      return sendPage(reply, loginPage({ ...shown, refusal: refusalOf(error, reply, texts) }))
    }
  })
}

type Texts = PageTexts['signIn']

const missing = (field: 'email' | 'password', texts: Texts): LoginRefusal =>
  field === 'email'
    ? { status: 422, message: texts.emailMissing, field }
    : { status: 422, message: texts.passwordMissing, field }

/** What a person can do something about is said beside the form; everything else is an error page. */
function refusalOf(error: unknown, reply: FastifyReply, texts: Texts): LoginRefusal {
  if (!(error instanceof ProblemError)) throw error
  switch (error.code) {
    case 'wrong_credentials':
      return { status: 422, message: texts.wrongCredentials }
    case 'wrong_passkey':
      return { status: 422, message: texts.passkeyRefused }
    case 'email_not_verified':
      return { status: 403, message: texts.emailNotVerified }
    case 'too_many_requests': {
      reply.headers(error.headers)
      const minutes = Math.ceil(Number(error.headers['retry-after'] ?? 60) / 60)
      return { status: 429, message: texts.tooManyTries(minutes) }
    }
    default:
      throw error
  }
}
