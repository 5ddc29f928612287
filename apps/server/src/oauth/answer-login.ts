import type { FastifyInstance, FastifyReply } from 'fastify'
import { deleteSession } from '../access/session-store.ts'
import type { AccountsService } from '../accounts/accounts-service.ts'
import { signInWithPassword } from '../accounts/sign-in-with-password.ts'
import { sendPage } from '../pages/page.ts'
import { soleText } from '../platform/form.ts'
import { ProblemError } from '../platform/problem.ts'
import { confirmAccount } from './authorization-request-store.ts'
import { createBrowserCookie } from './browser-cookie.ts'
import { requireOwnForm } from './csrf.ts'
import { type LoginForm, loginPage } from './login-page.ts'
import { openRequest } from './open-request.ts'
import { PageFault } from './page-fault.ts'
import { formOf, visitOf } from './page-request.ts'
import { findVisitor } from './visitor.ts'

/** Signs in for a kept request and leads on. Who was signed in at this browser before is signed out there. */
export function serveAnswerLogin(pages: FastifyInstance, service: AccountsService) {
  const { database, clock, config, random, sealedBox, sessionCookie } = service
  const browserCookie = createBrowserCookie(config.baseUrl, random)
  pages.post('/oauth2/login', async (request, reply) => {
    const now = clock.now()
    const form = formOf(request)
    const requestId = soleText(form, 'request') ?? ''
    const boundTo = browserCookie.read(request.headers.cookie)
    if (boundTo === undefined) throw new PageFault('form_refused')
    requireOwnForm({ sealedBox, baseUrl: config.baseUrl }, request, form, { form: 'login', requestId, boundTo })
    const { client } = await openRequest(database, requestId, now)

    const email = soleText(form, 'email') ?? ''
    const password = soleText(form, 'password') ?? ''
    const shown = {
      requestId,
      csrf: soleText(form, 'csrf') ?? '',
      email,
      appName: client.revision.name,
      providerName: config.provider?.name,
    }
    if (email === '' || password === '') return sendPage(reply, loginPage({ ...shown, refusal: missing(email) }))
    const before = await findVisitor(service, request)
    try {
      const session = await signInWithPassword(
        service,
        { email, password, request: visitOf(request), now },
        async (tx, account) => {
          await confirmAccount(tx, requestId, account.id)
          if (before !== undefined) await deleteSession(tx, before.account.id, before.sessionId)
        },
      )
      return reply
        .header('set-cookie', sessionCookie.set(session.token))
        .redirect(`/oauth2/consent?request=${requestId}`, 303)
    } catch (error) {
      return sendPage(reply, loginPage({ ...shown, refusal: refusalOf(error, reply) }))
    }
  })
}

type Refusal = NonNullable<LoginForm['refusal']>

const missing = (email: string): Refusal =>
  email === ''
    ? { status: 422, message: 'Enter your e-mail address.', field: 'email' }
    : { status: 422, message: 'Enter your password.', field: 'password' }

/** What a person can do something about is said beside the form; everything else is an error page. */
function refusalOf(error: unknown, reply: FastifyReply): Refusal {
  if (!(error instanceof ProblemError)) throw error
  switch (error.code) {
    case 'wrong_credentials':
      return { status: 422, message: 'The e-mail address or the password is wrong.' }
    case 'email_not_verified':
      return { status: 403, message: 'Confirm your e-mail address first: we have sent you a link.' }
    case 'too_many_requests': {
      reply.headers(error.headers)
      const minutes = Math.ceil(Number(error.headers['retry-after'] ?? 60) / 60)
      const wait = minutes === 1 ? 'a minute' : `${minutes} minutes`
      return { status: 429, message: `Too many tries. Wait ${wait}, then try again.` }
    }
    default:
      throw error
  }
}
