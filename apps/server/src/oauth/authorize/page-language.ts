import type { Language } from '@parley/rules/text/language'
import type { FastifyRequest } from 'fastify'
import { emailLanguage } from '../../accounts/email-links/account-emails.ts'
import type { Visitor } from './visitor.ts'

/** The language of the signed-in user's profile, else of the browser, else English. */
export const pageLanguage = (request: FastifyRequest, visitor?: Pick<Visitor, 'account'>): Language =>
  emailLanguage(visitor?.account.language, request.headers['accept-language'])
