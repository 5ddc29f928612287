import type { Reason } from '@parley/contract'
import { isolated } from '@parley/rules/text/isolated-text'
import type { Language } from '@parley/texts/languages'
import type { Caller } from '../access/caller.ts'
import { emailLanguage } from '../accounts/email-links/account-emails.ts'
import type { Email } from '../accounts/email-links/queue-email.ts'
import { queueEmail } from '../accounts/email-links/queue-email.ts'
import type { Tx } from '../platform/database/database.ts'
import type { Platform } from '../platform/platform.ts'
import { textsIn } from '../platform/texts.ts'
import type { AppOwner } from './review-store.ts'

/** What a developer is written when a reviewer or an administrator decides about their app. */
export type AppDecision = 'approved' | 'rejected' | 'on_hold' | 'suspended' | 'resumed'

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
  const t = textsIn(language, 'app-emails')
  const app = isolated(language, name)
  return {
    to,
    language,
    subject: t(`decisions.${decision}.subject`, { app }),
    paragraphs: [
      t(`decisions.${decision}.lead`, { app }),
      ...reasons.map((reason) => reasonSentence(language, reason)),
      t(`decisions.${decision}.next`),
    ],
    link: { label: t('open'), address: `${baseUrl}/developers/${appId}` },
  }
}

/** The reviewer's own text is quoted as written. */
function reasonSentence(language: Language, { code, field, text }: Reason): string {
  const t = textsIn(language, 'app-emails')
  const written = text === undefined || text === '' ? [] : [isolated(language, text)]
  const isWritten = code === 'other' && written.length > 0
  const sentence = (isWritten ? written : [t(`reasons.${code}`), ...written]).join(' ')
  return field === undefined || field === ''
    ? t('reason', { sentence })
    : t('reasonOfField', { field: isolated(language, field), sentence })
}

type TesterInvitation = {
  baseUrl: string
  to: string
  language: Language
  appName: string
  owner: { name: string; email: string }
  /** What would be tested is what reviewers have approved. */
  isApproved: boolean
}

/**
 * Compose the invitation of a tester. The names of the app and of the sender and the sender's address are the only
 * texts chosen by others, so that the mail cannot carry messages.
 */
export function testerInvitationEmail({ baseUrl, to, language, appName, owner, isApproved }: TesterInvitation): Email {
  const t = textsIn(language, 'app-emails')
  const [name, app] = [isolated(language, owner.name), isolated(language, appName)]
  const accept = t('testerInvitation.accept')
  const sender = `${name} (${isolated(language, owner.email)})`
  return {
    to,
    language,
    subject: t('testerInvitation.subject', { owner: name, app }),
    paragraphs: [
      t('testerInvitation.invites', { owner: sender, app, service: baseUrl }),
      isApproved ? accept : `${t('testerInvitation.notApproved')} ${accept}`,
      t('testerInvitation.ignore'),
    ],
    link: { label: t('testerInvitation.link'), address: `${baseUrl}/connected-apps` },
  }
}
