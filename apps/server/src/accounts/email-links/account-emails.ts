import { isolated } from '@parley/rules/text/isolated-text'
import type { Language } from '@parley/texts/languages'
import { preferredLanguage } from '../../platform/http/content-negotiation.ts'
import type { AccountEmailTexts, EmailText } from '../email-texts/email-texts.ts'
import { accountEmailTexts } from '../email-texts/in-language.ts'
import type { Email } from './queue-email.ts'

/**
 * Emails about accounts. Tokens are in a link's fragment, which servers, proxies and referrers do not see. No email
 * contains text chosen by others except a name, so that our emails cannot carry their messages.
 */
type Addressed = { baseUrl: string; to: string; language: Language }
type WithToken = Addressed & { token: string }

/** The language of the recipient's profile, else that of the request that caused the email, else English. */
export const emailLanguage = (profile: Language | '' | undefined, acceptLanguage = ''): Language =>
  profile || preferredLanguage(acceptLanguage) || 'en'

export const confirmAddressEmail = (mail: WithToken): Email =>
  emailOf(mail, 'confirmAddress', `/verify-email#token=${mail.token}`, [
    fromProgram(mail, '/api/auth/verify-email', '{"token": "…"}'),
  ])

export const alreadyHaveAccountEmail = (mail: Addressed): Email =>
  emailOf(mail, 'alreadyHaveAccount', '/reset-password')

export const resetPasswordEmail = (mail: WithToken): Email =>
  emailOf(mail, 'resetPassword', `/reset-password#token=${mail.token}`, [
    fromProgram(mail, '/api/auth/password-reset', '{"token": "…", "newPassword": "…"}'),
  ])

export const passwordChangedEmail = (mail: Addressed): Email => emailOf(mail, 'passwordChanged', '/reset-password')

export const passkeyAddedEmail = (mail: Addressed): Email => emailOf(mail, 'passkeyAdded', '/reset-password')

const signUpPath = (token: string) => `/sign-up#invitation=${token}`

export const signUpLink = (baseUrl: string, token: string): string => `${baseUrl}${signUpPath(token)}`

export const invitationEmail = (mail: WithToken): Email =>
  emailOf(mail, 'invitation', signUpPath(mail.token), [
    fromProgram(mail, '/api/auth/sign-up', '{"invitation": "…"}', accountEmailTexts(mail.language).besideSignUp),
  ])

export const accountDeletedEmail = (mail: Addressed): Email => emailOf(mail, 'accountDeleted', '/')

/** Tell the host what an administrator did with a meeting. */
export const meetingOfHostEmail = (
  kind: 'meetingChangedByAdministrator' | 'meetingCancelledByAdministrator',
  mail: Addressed & { meetingId: string },
): Email => emailOf(mail, kind, `/meetings/${mail.meetingId}`)

type Requester = { name: string; email: string }

/** Of all meetings that a closed account offers to one cohost. */
export function handOverOfferedEmail({
  host,
  expiresAt,
  ...mail
}: Addressed & { host: Requester; expiresAt: Date }): Email {
  const { language, baseUrl } = mail
  const person = isolated(language, `${host.name} (${host.email})`)
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(expiresAt)
  const text = accountEmailTexts(language).handOverOffered(isolated(language, baseUrl), person, isolated(language, day))
  return compose(mail, text, '/meetings')
}

export function oauthRequestedEmail({ requester, ...mail }: Addressed & { requester: Requester }): Email {
  const { language, baseUrl } = mail
  const person = isolated(language, `${requester.name} (${requester.email})`)
  const text = accountEmailTexts(language).oauthRequested(isolated(language, baseUrl), person)
  return compose(mail, text, '/administration/accounts')
}

export const oauthEnabledEmail = (mail: Addressed): Email => emailOf(mail, 'oauthEnabled', '/developers')

/** The administrator's reason is quoted as written. */
export function oauthDeclinedEmail({ reason, ...mail }: Addressed & { reason: string }): Email {
  const { language, baseUrl } = mail
  const { declineReason, oauthDeclined } = accountEmailTexts(language)
  const text = oauthDeclined(isolated(language, baseUrl))
  const given = reason === '' ? [] : [declineReason(isolated(language, reason))]
  return compose(mail, { ...text, rest: [...given, ...text.rest] }, '/developers')
}

type Kind = Exclude<
  keyof AccountEmailTexts,
  'fromProgram' | 'besideSignUp' | 'handOverOffered' | 'oauthRequested' | 'oauthDeclined' | 'declineReason'
>

function emailOf(mail: Addressed, kind: Kind, path: string, further: string[] = []): Email {
  const { language, baseUrl } = mail
  return compose(mail, accountEmailTexts(language)[kind](isolated(language, baseUrl)), path, further)
}

function compose(mail: Addressed, text: EmailText, path: string, further: string[] = []): Email {
  const { baseUrl, to, language } = mail
  const { subject, lead, action, rest } = text
  return {
    to,
    language,
    subject,
    paragraphs: [lead, ...rest, ...further],
    link: { label: action, address: `${baseUrl}${path}` },
  }
}

/** Describe the API call that replaces the link. */
function fromProgram({ baseUrl, language }: Addressed, path: string, body: string, beside = ''): string {
  const sent = [isolated(language, body), beside].filter((part) => part !== '').join(' ')
  return accountEmailTexts(language).fromProgram(isolated(language, `POST ${baseUrl}${path}`), sent)
}
