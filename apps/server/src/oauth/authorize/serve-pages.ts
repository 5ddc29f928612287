import { problems, signInTexts } from '@parley/contract'
import type { Language } from '@parley/texts/languages'
import type { FastifyInstance } from 'fastify'
import { clientHostOf } from '../../access/shown-app.ts'
import { readForm } from '../../platform/http/form.ts'
import { overloadOf } from '../../platform/http/overload.ts'
import { mapError, ProblemError, problem } from '../../platform/http/problem.ts'
import { errorPage, type NextAction } from '../../server-pages/error-page.ts'
import { sendPage } from '../../server-pages/page.ts'
import { serveReadLogo } from '../grants/read-logo.ts'
import { serveAuthorize } from './authorize.ts'
import { AuthorizeError, type AuthorizeErrorContext, describeError } from './authorize-error-page.ts'
import type { AuthorizeService } from './authorize-service.ts'
import { pageLanguage } from './page-language.ts'
import { pageTexts } from './page-texts/in-language.ts'
import { serveShowConsent } from './show-consent.ts'
import { serveShowLogin } from './sign-in/show-login.ts'
import { serveSubmitLogin } from './sign-in/submit-login.ts'
import { findSignedInUser } from './signed-in-user.ts'
import { serveSubmitConsent } from './submit-consent.ts'
import { serveSwitchAccount } from './switch-account.ts'
import { serveTesterInvitation } from './tester-invitation.ts'

/** Several times the size of an authorization request with the longest state, percent-encoded. */
const maxFormBytes = 64 * 1024

/** Register the authorization endpoint and its pages. They accept forms and reply with pages, also for errors. */
export function servePages(http: FastifyInstance, service: AuthorizeService): void {
  http.register(async (pages) => {
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'buffer', bodyLimit: maxFormBytes },
      async (_request: unknown, body: Buffer) => readForm(body.toString('latin1')),
    )
    renderErrorPages(pages, service)
    serveAuthorize(pages, service)
    serveShowLogin(pages, service)
    serveSubmitLogin(pages, service)
    serveSwitchAccount(pages, service)
    serveTesterInvitation(pages, service)
    serveShowConsent(pages, service)
    serveSubmitConsent(pages, service)
    serveReadLogo(pages, service)
  })
}

function renderErrorPages(pages: FastifyInstance, service: AuthorizeService) {
  const { clock, refusalLog } = service
  pages.setErrorHandler(async (error, request, reply) => {
    const shownError =
      error instanceof AuthorizeError
        ? error
        : findPageProblem(error, mapError(error, request, service.databaseFailures))
    const isOverload = overloadOf(pages).refused(request)
    // Under overload the database is not asked: the browser's language decides.
    const user = isOverload ? undefined : await findSignedInUser(service, request).catch(() => undefined)
    const language = pageLanguage(request, user)
    const detail = shownError instanceof AuthorizeError ? shownError.detail : undefined
    const context = shownError instanceof AuthorizeError ? shownError.context : undefined
    const pageError = {
      ...describeError(shownError, language),
      ...(context !== undefined && clientHostOf(context.client)),
      ...(detail !== undefined && { detail }),
    }
    if (shownError instanceof ProblemError) reply.headers(shownError.headers)
    if (context !== undefined) {
      const { client, cause = describeError(shownError, 'en').happened } = context
      refusalLog.record({
        appId: client.appId,
        sandbox: client.sandbox,
        kind: 'authorization_refused',
        cause,
        requestId: request.id,
        now: clock.now(),
      })
    }
    return sendPage(reply, errorPage(pageError, request.id, nextActionOf(context, language), language))
  })
}

function nextActionOf(context: AuthorizeErrorContext | undefined, language: Language): NextAction | undefined {
  if (context?.wayOn === undefined) return undefined
  const { address, text } = context.wayOn
  return { address, text: text === 'signIn' ? signInTexts.signIn[language] : pageTexts(language).switchAccount }
}

/** Pages explain alike whatever Fastify refuses before a handler runs. */
function findPageProblem(error: unknown, found: ProblemError): ProblemError {
  const isOfFastify = !(error instanceof ProblemError) && problems[found.code].status < 500
  return isOfFastify ? problem('malformed_request') : found
}
