import type { Language } from '@parley/texts/languages'
import type { FastifyRequest } from 'fastify'
import { emailLanguage } from '../../accounts/email-links/account-emails.ts'
import type { SignedInUser } from './signed-in-user.ts'

/** The language of the signed-in user's profile, else of the browser, else English. */
export const pageLanguage = (request: FastifyRequest, user?: Pick<SignedInUser, 'account'>): Language =>
  emailLanguage(user?.account.language, request.headers['accept-language'])
