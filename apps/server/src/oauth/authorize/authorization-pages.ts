import { problems } from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import { clientHostOf } from '../../access/shown-app.ts'
import { readForm } from '../../platform/http/form.ts'
import { overloadOf } from '../../platform/http/overload.ts'
import { mapError, ProblemError, problem } from '../../platform/http/problem.ts'
import { errorPage } from '../../server-pages/error-page.ts'
import { sendPage } from '../../server-pages/page.ts'
import type { Dependencies } from '../dependencies.ts'
import { registerLogos } from './app-identity.ts'
import { registerAuthorizationEndpoint } from './authorization-endpoint.ts'
import { AuthorizeError } from './authorize-error.ts'
import { describeError, nextActionOf } from './authorize-error-page.ts'
import { registerConsent } from './consent-form.ts'
import { registerLogin } from './login-form.ts'
import { findSignedInUser, pageLanguage } from './signed-in-user.ts'
import { registerAccountSwitch } from './switch-account.ts'
import { registerTesterInvitation } from './tester-invitation.ts'

/** Several times the size of an authorization request with the longest state, percent-encoded. */
const maxPageFormBytes = 64 * 1024

/**
 * Register the authorization endpoint and its pages. These endpoints accept forms and reply with pages, also for
 * errors.
 */
export function registerAuthorizationPages(dependencies: Dependencies): void {
  dependencies.http.register(async (pages) => {
    pages.removeAllContentTypeParsers()
    pages.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'buffer', bodyLimit: maxPageFormBytes },
      async (_request: unknown, body: Buffer) => readForm(body.toString('latin1')),
    )
    renderErrorPages(pages, dependencies)
    registerAuthorizationEndpoint(pages, dependencies)
    registerLogin(pages, dependencies)
    registerAccountSwitch(pages, dependencies)
    registerTesterInvitation(pages, dependencies)
    registerConsent(pages, dependencies)
    registerLogos(pages, dependencies)
  })
}

function renderErrorPages(pages: FastifyInstance, dependencies: Dependencies) {
  const { clock, refusalLog, databaseFailures } = dependencies
  pages.setErrorHandler(async (error, request, reply) => {
    const shownError =
      error instanceof AuthorizeError ? error : findPageProblem(error, mapError(error, request, databaseFailures))
    const isOverload = overloadOf(pages).refused(request)
    // Under overload the database is not asked: the browser's language decides.
    const user = isOverload ? undefined : await findSignedInUser(dependencies, request).catch(() => undefined)
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

/** Find the problem that a page explains: all refusals of Fastify before a handler runs share one. */
function findPageProblem(error: unknown, found: ProblemError): ProblemError {
  const isOfFastify = !(error instanceof ProblemError) && problems[found.code].status < 500
  return isOfFastify ? problem('malformed_request') : found
}
