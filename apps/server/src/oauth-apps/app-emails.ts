import type { Reason } from '@parley/contract'
import { isolated } from '@parley/rules/text/isolated-text'
import type { Language } from '@parley/texts/languages'
import type { Caller } from '../access/caller.ts'
import { emailLanguage } from '../accounts/email-links/account-emails.ts'
import type { Email } from '../accounts/email-links/queue-email.ts'
import { queueEmail } from '../accounts/email-links/queue-email.ts'
import type { Tx } from '../platform/database/database.ts'
import type { Platform } from '../platform/platform.ts'
import type { AppDecision } from './email-texts/email-texts.ts'
import { appEmailTexts } from './email-texts/in-language.ts'
import type { AppOwner } from './review-store.ts'

type AppDecisionNotice = {
  /** A client that no developer has registered has no owner to inform. */
  app: { id: string; name: string; owner: AppOwner | undefined }
  caller: Caller
  decision: AppDecision
  reasons: readonly Reason[]
}

/** Queue the email to an app's owner in the transaction of the decision; not when the owner made the decision. */
export async function queueAppDecisionEmail(
  tx: Tx,
  dependencies: Pick<Platform, 'encryption' | 'config'>,
  { app, caller, decision, reasons }: AppDecisionNotice,
): Promise<void> {
  const { id: appId, name, owner } = app
  // Deleted accounts have no address.
  if (owner === undefined || owner.id === caller.accountId || owner.email === '') return
  const { baseUrl } = dependencies.config
  const email = { baseUrl, to: owner.email, language: emailLanguage(owner.language), appId, name, decision, reasons }
  await queueEmail(tx, dependencies, appDecisionEmail(email))
}

export type { AppDecision } from './email-texts/email-texts.ts'

type DecidedApp = {
  baseUrl: string
  to: string
  language: Language
  appId: string
  name: string
  decision: AppDecision
  reasons: readonly Reason[]
}

export function appDecisionEmail({ baseUrl, to, language, appId, name, decision, reasons }: DecidedApp): Email {
  const { decisions, open } = appEmailTexts(language)
  const { subject, lead, next } = decisions[decision]
  const app = isolated(language, name)
  return {
    to,
    language,
    subject: subject(app),
    paragraphs: [lead(app), ...reasons.map((reason) => reasonSentence(language, reason)), next],
    link: { label: open, address: `${baseUrl}/developers/${appId}` },
  }
}

/** The reviewer's own text is quoted as written. */
function reasonSentence(language: Language, { code, field, text }: Reason): string {
  const { reason, reasons } = appEmailTexts(language)
  const written = text === undefined || text === '' ? [] : [isolated(language, text)]
  const sentence = code === 'other' && written.length > 0 ? written : [reasons[code], ...written]
  return reason(field === undefined ? '' : isolated(language, field), sentence.join(' '))
}
