import { isolated } from '@parley/rules/text/isolated-text'
import type { Language } from '@parley/rules/text/language'
import { preferredLanguage } from '../../platform/http/negotiation.ts'
import type { AccountEmailTexts, EmailText } from '../email-texts/email-texts.ts'
import { accountEmailTexts } from '../email-texts/in-language.ts'
import type { Letter } from './letter.ts'

/**
 * The mails of accounts. Secrets stand in a link's fragment, which no server, proxy or referrer sees. No mail holds text
 * that a stranger chose but for a name, so that nobody sends messages of their own through us.
 */
type Addressed = { baseUrl: string; to: string; language: Language }
type WithToken = Addressed & { token: string }

/** The language of the recipient's profile; where it says none, of the request that caused the mail. */
export const emailLanguage = (profile: Language | '' | undefined, acceptLanguage = ''): Language =>
  profile || preferredLanguage(acceptLanguage) || 'en'

export const confirmAddressLetter = (mail: WithToken): Letter =>
  letterOf(mail, 'confirmAddress', `/verify-email#token=${mail.token}`, [
    fromProgram(mail, '/api/auth/verify-email', '{"token": "…"}'),
  ])

export const alreadyHaveAccountLetter = (mail: Addressed): Letter =>
  letterOf(mail, 'alreadyHaveAccount', '/reset-password')

export const resetPasswordLetter = (mail: WithToken): Letter =>
  letterOf(mail, 'resetPassword', `/reset-password#token=${mail.token}`, [
    fromProgram(mail, '/api/auth/password-reset', '{"token": "…", "newPassword": "…"}'),
  ])

export const passwordChangedLetter = (mail: Addressed): Letter => letterOf(mail, 'passwordChanged', '/reset-password')

export const passkeyAddedLetter = (mail: Addressed): Letter => letterOf(mail, 'passkeyAdded', '/reset-password')

export const invitationLetter = (mail: WithToken): Letter =>
  letterOf(mail, 'invitation', `/sign-up#invitation=${mail.token}`, [
    fromProgram(mail, '/api/auth/sign-up', '{"invitation": "…"}', accountEmailTexts(mail.language).besideSignUp),
  ])

export const accountDeletedLetter = (mail: Addressed): Letter => letterOf(mail, 'accountDeleted', '/')

export const meetingHandedOverLetter = (mail: Addressed & { meetingId: string }): Letter =>
  letterOf(mail, 'meetingHandedOver', `/meetings/${mail.meetingId}`)

type Requester = { name: string; email: string }

export function oauthRequestedLetter({ requester, ...mail }: Addressed & { requester: Requester }): Letter {
  const { language, baseUrl } = mail
  const person = isolated(language, `${requester.name} (${requester.email})`)
  const text = accountEmailTexts(language).oauthRequested(isolated(language, baseUrl), person)
  return compose(mail, text, '/administration/accounts')
}

export const oauthEnabledLetter = (mail: Addressed): Letter => letterOf(mail, 'oauthEnabled', '/developers')

/** The reason stands as the administrator wrote it. */
export function oauthDeclinedLetter({ reason, ...mail }: Addressed & { reason: string }): Letter {
  const { language, baseUrl } = mail
  const { declineReason, oauthDeclined } = accountEmailTexts(language)
  const text = oauthDeclined(isolated(language, baseUrl))
  const given = reason === '' ? [] : [declineReason(isolated(language, reason))]
  return compose(mail, { ...text, rest: [...given, ...text.rest] }, '/developers')
}

type Kind = Exclude<
  keyof AccountEmailTexts,
  'fromProgram' | 'besideSignUp' | 'oauthRequested' | 'oauthDeclined' | 'declineReason'
>

function letterOf(mail: Addressed, kind: Kind, path: string, further: string[] = []): Letter {
  const { language, baseUrl } = mail
  return compose(mail, accountEmailTexts(language)[kind](isolated(language, baseUrl)), path, further)
}

function compose(mail: Addressed, text: EmailText, path: string, further: string[] = []): Letter {
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

/** For those who use the API alone. */
function fromProgram({ baseUrl, language }: Addressed, path: string, body: string, beside = ''): string {
  const sent = [isolated(language, body), beside].filter((part) => part !== '').join(' ')
  return accountEmailTexts(language).fromProgram(isolated(language, `POST ${baseUrl}${path}`), sent)
}
