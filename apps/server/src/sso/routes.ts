import type { FastifyInstance } from 'fastify'
import type { WithDatabase } from '../access/service.ts'
import type { AccountsService } from '../accounts/accounts-service.ts'
import { emailLanguage } from '../accounts/email-links/account-emails.ts'
import { errorPage } from '../server-pages/error-page.ts'
import { sendPage } from '../server-pages/page.ts'
import { serveBeginProviderSignIn } from './begin-provider-sign-in.ts'
import { serveFinishProviderSignIn } from './finish-provider-sign-in.ts'
import { createProviderCache } from './open-provider.ts'
import { ProviderError } from './provider-error.ts'
import { describeProviderError, providerErrorTexts } from './provider-error-texts.ts'

/** Register the two paths of signing in with the organisation's provider, if one is configured. */
export function registerSsoRoutes(service: WithDatabase<AccountsService> & { http: FastifyInstance }): void {
  const { http, config } = service
  const { provider } = config
  if (provider === undefined) return
  const openProvider = createProviderCache(provider, service.clock)
  http.register(async (pages) => {
    const handleOtherErrors = pages.errorHandler
    pages.setErrorHandler(async (error, request, reply) => {
      if (!(error instanceof ProviderError)) return handleOtherErrors(error as Error, request, reply)
      // Log the error without the provider's response, which may hold tokens.
      const cause = error.cause instanceof Error ? `${error.cause.name}: ${error.cause.message}` : undefined
      request.log.warn({ requestId: request.id, code: error.code, cause }, 'a sign-in with the provider failed')
      const language = emailLanguage('', request.headers['accept-language'])
      const nextAction = { address: '/sign-in', text: providerErrorTexts(language).back }
      return sendPage(
        reply,
        errorPage(describeProviderError(error.code, provider.name, language), request.id, nextAction, language),
      )
    })
    serveBeginProviderSignIn(pages, service, openProvider)
    serveFinishProviderSignIn(pages, service, openProvider)
  })
}
