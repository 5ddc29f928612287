import { isolated } from '@parley/rules/text/isolated-text'
import type { Language } from '@parley/texts/languages'
import type { Texts } from '@parley/texts/nouns'
import { preferredLanguage } from '../../platform/http/content-negotiation.ts'
import { productName } from '../../platform/product-name.ts'
import { textsIn } from '../../platform/texts.ts'
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
  emailOf(
    mail,
    'confirmAddress',
    `/verify-email#token=${mail.token}`,
    fromProgram(mail, '/api/auth/verify-email', '{"token": "…"}'),
  )

export const alreadyHaveAccountEmail = (mail: Addressed): Email =>
  emailOf(mail, 'alreadyHaveAccount', '/reset-password')

export const resetPasswordEmail = (mail: WithToken): Email =>
  emailOf(
    mail,
    'resetPassword',
    `/reset-password#token=${mail.token}`,
    fromProgram(mail, '/api/auth/password-reset', '{"token": "…", "newPassword": "…"}'),
  )

export const passwordChangedEmail = (mail: Addressed): Email => emailOf(mail, 'passwordChanged', '/reset-password')

export const passkeyAddedEmail = (mail: Addressed): Email => emailOf(mail, 'passkeyAdded', '/reset-password')

/** The address fills in the form. */
const signUpPath = ({ token, to }: Pick<WithToken, 'token' | 'to'>) =>
  `/sign-up#invitation=${token}&email=${encodeURIComponent(to)}`

export const signUpLink = (baseUrl: string, invited: Pick<WithToken, 'token' | 'to'>): string =>
  `${baseUrl}${signUpPath(invited)}`

/** Compose the invitation to sign up: by a person of an organisation, which is named in place of the product. */
export const invitationEmail = ({
  inviter,
  tenantId,
  organisation,
  ...mail
}: WithToken & { inviter: string; tenantId: string; organisation: string }): Email => {
  const { language } = mail
  const values = {
    person: isolated(language, inviter),
    product: organisation === '' ? productName : isolated(language, organisation),
  }
  return { ...emailOf(mail, 'invitation', signUpPath(mail), { values }), tenantId }
}

export const accountDeletedEmail = (mail: Addressed): Email => emailOf(mail, 'accountDeleted', '/')

/** Compose the email that informs a host of what an administrator did with a meeting. */
export const meetingOfHostEmail = (
  kind: 'meetingChangedByAdministrator' | 'meetingCancelledByAdministrator',
  mail: Addressed & { meetingId: string },
): Email => emailOf(mail, kind, `/meetings/${mail.meetingId}`)

type Requester = { name: string; email: string }

/** Compose the email about all meetings that a closed account offers to one cohost. */
export function handOverOfferedEmail({
  host,
  expiresAt,
  ...mail
}: Addressed & { host: Requester; expiresAt: Date }): Email {
  const { language } = mail
  const person = isolated(language, `${host.name} (${host.email})`)
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(expiresAt)
  return emailOf(mail, 'handOverOffered', '/meetings', { values: { person, day: isolated(language, day) } })
}

export function oauthRequestedEmail({ requester, ...mail }: Addressed & { requester: Requester }): Email {
  const person = isolated(mail.language, `${requester.name} (${requester.email})`)
  return emailOf(mail, 'oauthRequested', '/administration/accounts', { values: { person } })
}

export const oauthEnabledEmail = (mail: Addressed): Email => emailOf(mail, 'oauthEnabled', '/developers')

/** Shows an administrator that emails arrive. */
export const testEmail = (mail: Addressed): Email => emailOf(mail, 'test', '/administration/set-up')

/** The administrator's reason is quoted as written. */
export function oauthDeclinedEmail({ reason, ...mail }: Addressed & { reason: string }): Email {
  const t = textsIn(mail.language, 'account-emails')
  const given = reason === '' ? [] : [t('declineReason', { reason: isolated(mail.language, reason) })]
  return emailOf(mail, 'oauthDeclined', '/developers', { before: given })
}

type Kind = Exclude<keyof Texts['account-emails'], 'fromProgram' | 'declineReason'>

/** `before` and `after` are additional paragraphs around those of the kind. */
type Parts = { values?: Record<string, string>; before?: readonly string[]; after?: readonly string[] }

function emailOf(mail: Addressed, kind: Kind, path: string, { values, before = [], after = [] }: Parts = {}): Email {
  const { baseUrl, to, language } = mail
  const t = textsIn(language, 'account-emails')
  const filled = { ...values, service: isolated(language, baseUrl) }
  return {
    to,
    language,
    subject: t(`${kind}.subject`, filled),
    paragraphs: [
      t(`${kind}.lead`, filled),
      ...before,
      ...t(`${kind}.rest`, { ...filled, returnObjects: true }),
      ...after,
    ],
    link: { label: t(`${kind}.action`), address: `${baseUrl}${path}` },
  }
}

/** Describe the API call that replaces the link. */
function fromProgram({ baseUrl, language }: Addressed, path: string, body: string): Parts {
  const request = isolated(language, `POST ${baseUrl}${path}`)
  const sent = isolated(language, body)
  return { after: [textsIn(language, 'account-emails')('fromProgram', { request, body: sent })] }
}
