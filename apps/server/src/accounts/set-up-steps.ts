import { readSetUp, sendTestMail } from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import { sql } from 'kysely'
import { type Database, inTransaction } from '../platform/database/database.ts'
import { problem } from '../platform/http/problem.ts'
import { findAccount } from './account/account-store.ts'
import { hasMadeCall } from './account/tenant-store.ts'
import type { Dependencies } from './dependencies.ts'
import { emailLanguage, testEmail } from './email-links/account-emails.ts'
import { queueEmail } from './email-links/queue-email.ts'

/** Register the endpoints of the checklist for administrators of a new service. */
export function registerSetUpSteps(service: Dependencies): void {
  const { serve, clock, config, attemptLimits } = service
  const { mailIsSent, linksAreLocal, baseUrl } = config

  serve(readSetUp, {
    handle: async ({ caller: { tenantId, accountId }, database }) => {
      const [peopleInvited, callMade] = await Promise.all([
        hasPeople(database, { tenantId, accountId, now: clock.now() }),
        hasMadeCall(database, tenantId),
      ])
      return {
        mailIsSent,
        linksArePublic: !linksAreLocal && baseUrl.startsWith('https:'),
        peopleInvited,
        callMade,
      }
    },
  })

  serve(sendTestMail, {
    handle: async ({ caller, request, database }) => {
      const account = await findAccount(database, caller.accountId)
      if (account === undefined) throw problem('unauthorized')
      await attemptLimits.countOrRefuse('mailsToAddress', addressKey(account.email))
      const language = emailLanguage(account.language, request.acceptLanguage)
      await inTransaction(database, (tx) =>
        queueEmail(tx, service, testEmail({ baseUrl, to: account.email, language })),
      )
    },
  })
}

type Organisation = { tenantId: string; accountId: string; now: Date }

/** Whether an organisation has an account besides this one, or an open invitation. */
async function hasPeople(database: Database, { tenantId, accountId, now }: Organisation): Promise<boolean> {
  const { rows } = await sql<{ found: boolean }>`select
    exists (select from account
      where tenant_id = ${tenantId} and id <> ${accountId} and deleted_at is null)
    or exists (select from sign_up_invitation i join account a on a.id = i.invited_by
      where a.tenant_id = ${tenantId} and i.expires_at > ${now}) as found`.execute(database)
  return rows[0]?.found ?? false
}
