import { signInWithPasskey } from '@parley/contract'
import type { Language } from '@parley/texts/languages'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { createAnonymousCookie } from '../../access/credentials/anonymous-cookie.ts'
import { deleteSession } from '../../access/credentials/session-store.ts'
import type { PasskeyCredential } from '../../accounts/passkeys/passkey-assertion.ts'
import { signInByPasskey } from '../../accounts/passkeys/passkey-sign-in.ts'
import { signInWithPassword } from '../../accounts/sign-in.ts'
import type { Tx } from '../../platform/database/database.ts'
import { type Form, soleText } from '../../platform/http/form.ts'
import { ProblemError, problem } from '../../platform/http/problem.ts'
import { createValidator } from '../../platform/http/validation.ts'
import { type TextsOf, textsIn } from '../../platform/texts.ts'
import { sendPage } from '../../server-pages/page.ts'
import type { Dependencies } from '../dependencies.ts'
import { nameApp } from './app-identity.ts'
import { confirmAccount } from './authorization-request-store.ts'
import { AuthorizeError } from './authorize-error.ts'
import { type LoginRefusal, loginPage } from './login-page.ts'
import { type OpenRequest, openRequest } from './open-request.ts'
import { csrfToken, formOf, queryOf, requestContextOf, requireOwnForm } from './page-request.ts'
import { findSignedInUser, pageLanguage } from './signed-in-user.ts'

/** Register the sign-in page of a stored request and its form. */
export function registerLogin(pages: FastifyInstance, dependencies: Dependencies): void {
  const { database, clock, random, encryption, config, sessionCookie } = dependencies
  // Binds the form to a browser without a session.
  const browserCookie = createAnonymousCookie({ name: 'parley_browser', baseUrl: config.baseUrl, random })

  const shownFields = ({ request, client }: OpenRequest, language: Language) => ({
    language,
    app: nameApp(client, request.redirectUri, { language, isTester: false }),
    isUnreviewed: !client.isReviewed,
    providerName: config.provider?.name,
    signUpOpen: config.signUp !== 'closed',
  })

  // The page is also shown to a signed-in user who wants another account.
  pages.get('/oauth2/login', async (request, reply) => {
    const opened = await openRequest(database, config, soleText(queryOf(request), 'request') ?? '', clock.now())
    const known = browserCookie.read(request.headers.cookie)
    const created = known === undefined ? browserCookie.make() : undefined
    if (created !== undefined) reply.header('set-cookie', created.setCookie)
    const { requestId } = opened
    const csrf = csrfToken(encryption, { form: 'login', requestId, boundTo: known ?? created?.id ?? '' })
    const language = pageLanguage(request, await findSignedInUser(dependencies, request))
    const email = opened.request.loginHint ?? ''
    return sendPage(reply, loginPage({ ...shownFields(opened, language), requestId, csrf, email }))
  })

  // Sign in and continue to the consent page. The browser's previous session is deleted.
  pages.post('/oauth2/login', async (request, reply) => {
    const now = clock.now()
    const form = formOf(request)
    const requestId = soleText(form, 'request') ?? ''
    const boundTo = browserCookie.read(request.headers.cookie)
    if (boundTo === undefined) throw new AuthorizeError('form_refused')
    requireOwnForm(dependencies, request, form, { form: 'login', requestId, boundTo })
    const opened = await openRequest(database, config, requestId, now)

    const previousUser = await findSignedInUser(dependencies, request)
    const language = pageLanguage(request, previousUser)
    const t = textsIn(language, 'oauth-pages')
    const sent = { csrf: soleText(form, 'csrf') ?? '', email: soleText(form, 'email') ?? '' }
    const showAgain = (refusal: LoginRefusal) =>
      sendPage(reply, loginPage({ ...shownFields(opened, language), requestId, ...sent, refusal }))
    const onSignIn = async (tx: Tx, account: { id: string }) => {
      await confirmAccount(tx, requestId, account.id)
      if (previousUser !== undefined) await deleteSession(tx, previousUser.account.id, previousUser.sessionId)
    }
    try {
      const proof = readSignInProof(form)
      if (proof.kind === 'missing') return showAgain(missing(proof.field, t))
      const context = { request: requestContextOf(request), now }
      const session =
        proof.kind === 'passkey'
          ? await signInByPasskey(database, dependencies, { credential: proof.credential, ...context }, onSignIn)
          : await signInWithPassword(database, dependencies, { ...proof, ...context }, onSignIn)
      return reply
        .header('set-cookie', sessionCookie.set(session.token))
        .redirect(`/oauth2/consent?request=${requestId}`, 303)
    } catch (error) {
      return showAgain(refusalOf(error, reply, { t, mailIsSent: config.mailIsSent }))
    }
  })
}

type PageTexts = TextsOf<'oauth-pages'>

const missing = (field: 'email' | 'password', t: PageTexts): LoginRefusal =>
  field === 'email'
    ? { status: 422, message: t('signIn.emailMissing'), field }
    : { status: 422, message: t('signIn.passwordMissing'), field }

/** Show refusals that the user can act on beside the form; rethrow others for an error page. */
function refusalOf(
  error: unknown,
  reply: FastifyReply,
  { t, mailIsSent }: { t: PageTexts; mailIsSent: boolean },
): LoginRefusal {
  if (!(error instanceof ProblemError)) throw error
  switch (error.code) {
    case 'wrong_credentials':
      return { status: 422, message: t('signIn.wrongCredentials') }
    case 'wrong_passkey':
      return { status: 422, message: t('signIn.passkeyRefused') }
    case 'email_not_verified':
      return {
        status: 403,
        message: mailIsSent ? t('signIn.emailNotVerified') : t('signIn.emailNotVerifiedWithoutMail'),
      }
    case 'too_many_requests': {
      reply.headers(error.headers)
      const minutes = Math.ceil((error.retryAfterSeconds ?? 60) / 60)
      return { status: 429, message: t('signIn.tooManyTries', { count: minutes }) }
    }
    default:
      throw error
  }
}

type SignInProof =
  | { kind: 'passkey'; credential: PasskeyCredential }
  | { kind: 'password'; email: string; password: string }
  | { kind: 'missing'; field: 'email' | 'password' }

const validateCredential = createValidator(signInWithPasskey.body)

/**
 * Read the sign-in form: a passkey assertion, else email address and password.
 * @throws wrong_passkey for a malformed assertion
 */
function readSignInProof(form: Form): SignInProof {
  const sent = soleText(form, 'credential') ?? ''
  if (sent !== '') return { kind: 'passkey', credential: readCredential(sent) }
  const email = soleText(form, 'email') ?? ''
  const password = soleText(form, 'password') ?? ''
  if (email === '') return { kind: 'missing', field: 'email' }
  return password === '' ? { kind: 'missing', field: 'password' } : { kind: 'password', email, password }
}

function readCredential(text: string): PasskeyCredential {
  const body = { credential: parseJson(text) }
  if (validateCredential(body).violations.length > 0) throw problem('wrong_passkey')
  return body.credential as PasskeyCredential
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw problem('wrong_passkey')
  }
}
