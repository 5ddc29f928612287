import type { FastifyInstance, FastifyReply } from 'fastify'
import { deleteSession } from '../../../access/credentials/session-store.ts'
import type { WithDatabase } from '../../../access/service.ts'
import type { Dependencies as AccountsService } from '../../../accounts/dependencies.ts'
import { signInByPasskey } from '../../../accounts/passkeys/passkey-sign-in.ts'
import { signInWithPassword } from '../../../accounts/sign-in.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { soleText } from '../../../platform/http/form.ts'
import { ProblemError } from '../../../platform/http/problem.ts'
import { sendPage } from '../../../server-pages/page.ts'
import { nameApp } from '../app-facts.ts'
import { confirmAccount } from '../authorization-request-store.ts'
import { AuthorizeError } from '../authorize-error-page.ts'
import { createBrowserCookie } from '../browser-cookie.ts'
import { requireOwnForm } from '../csrf.ts'
import { openRequest } from '../open-request.ts'
import { pageLanguage } from '../page-language.ts'
import { formOf, requestContextOf } from '../page-request.ts'
import { pageTexts } from '../page-texts/in-language.ts'
import type { PageTexts } from '../page-texts/page-texts.ts'
import { findSignedInUser } from '../signed-in-user.ts'
import { type LoginRefusal, loginPage } from './login-page.ts'
import { readSignInProof } from './sign-in-proof.ts'

/** Sign in for a stored request and redirect to its consent page. The browser's previous session is deleted. */
export function serveSubmitLogin(pages: FastifyInstance, service: WithDatabase<AccountsService>) {
  const { database, clock, config, random, encryption, sessionCookie } = service
  const browserCookie = createBrowserCookie(config.baseUrl, random)
  pages.post('/oauth2/login', async (request, reply) => {
    const now = clock.now()
    const form = formOf(request)
    const requestId = soleText(form, 'request') ?? ''
    const boundTo = browserCookie.read(request.headers.cookie)
    if (boundTo === undefined) throw new AuthorizeError('form_refused')
    requireOwnForm({ encryption, baseUrl: config.baseUrl }, request, form, { form: 'login', requestId, boundTo })
    const { request: kept, client } = await openRequest(database, config, requestId, now)

    const previousUser = await findSignedInUser(service, request)
    const language = pageLanguage(request, previousUser)
    const email = soleText(form, 'email') ?? ''
    const fields = {
      language,
      requestId,
      csrf: soleText(form, 'csrf') ?? '',
      email,
      app: nameApp(client, kept.redirectUri, { language, isTester: false }),
      isUnreviewed: !client.isReviewed,
      providerName: config.provider?.name,
      signUpOpen: config.signUp !== 'closed',
    }
    const texts = pageTexts(language).signIn
    const context = { request: requestContextOf(request), now }
    const onSignIn = async (tx: Tx, account: { id: string }) => {
      await confirmAccount(tx, requestId, account.id)
      if (previousUser !== undefined) {
        await deleteSession(tx, previousUser.account.id, previousUser.sessionId)
      }
    }
    try {
      const proof = readSignInProof(form)
      if (proof.kind === 'missing')
        return sendPage(reply, loginPage({ ...fields, refusal: missing(proof.field, texts) }))
      const session =
        proof.kind === 'passkey'
          ? await signInByPasskey(database, service, { credential: proof.credential, ...context }, onSignIn)
          : await signInWithPassword(database, service, { ...proof, ...context }, onSignIn)
      return reply
        .header('set-cookie', sessionCookie.set(session.token))
        .redirect(`/oauth2/consent?request=${requestId}`, 303)
    } catch (error) {
      return sendPage(
        reply,
        loginPage({ ...fields, refusal: refusalOf(error, reply, { texts, mailIsSent: config.mailIsSent }) }),
      )
    }
  })
}

type Texts = PageTexts['signIn']

const missing = (field: 'email' | 'password', texts: Texts): LoginRefusal =>
  field === 'email'
    ? { status: 422, message: texts.emailMissing, field }
    : { status: 422, message: texts.passwordMissing, field }

/** Show refusals that the user can act on beside the form; rethrow others for an error page. */
function refusalOf(
  error: unknown,
  reply: FastifyReply,
  { texts, mailIsSent }: { texts: Texts; mailIsSent: boolean },
): LoginRefusal {
  if (!(error instanceof ProblemError)) throw error
  switch (error.code) {
    case 'wrong_credentials':
      return { status: 422, message: texts.wrongCredentials }
    case 'wrong_passkey':
      return { status: 422, message: texts.passkeyRefused }
    case 'email_not_verified':
      return { status: 403, message: mailIsSent ? texts.emailNotVerified : texts.emailNotVerifiedWithoutMail }
    case 'too_many_requests': {
      reply.headers(error.headers)
      const minutes = Math.ceil((error.retryAfterSeconds ?? 60) / 60)
      return { status: 429, message: texts.tooManyTries(minutes) }
    }
    default:
      throw error
  }
}
