import type { Reason } from '@parley/contract'
import type { Caller } from '../access/caller.ts'
import type { Service } from '../access/service.ts'
import { emailLanguage } from '../accounts/email-links/account-emails.ts'
import { queueEmail } from '../accounts/email-links/queue-email.ts'
import type { Tx } from '../platform/database/database.ts'
import { type AppDecision, appDecisionEmail } from './app-emails.ts'
import type { AppOwner } from './review/reviewed-app-store.ts'

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
  service: Pick<Service, 'encryption' | 'config'>,
  { app, caller, decision, reasons }: AppDecisionNotice,
): Promise<void> {
  const { id: appId, name, owner } = app
  // Deleted accounts have no address.
  if (owner === undefined || owner.id === caller.accountId || owner.email === '') return
  const { baseUrl } = service.config
  const email = { baseUrl, to: owner.email, language: emailLanguage(owner.language), appId, name, decision, reasons }
  await queueEmail(tx, service, appDecisionEmail(email))
}
