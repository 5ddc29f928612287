import { replaceTesters, type Violation } from '@parley/contract'
import { maxTesters } from '@parley/rules/oauth-apps/app-limits'
import { addressKey, isEmailAddress } from '@parley/rules/text/email-address'
import type { Caller } from '../../access/caller.ts'
import { lockAccount } from '../../accounts/account/account-store.ts'
import { queueEmail } from '../../accounts/email-links/queue-email.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { problem, tooManyRequests } from '../../platform/http/problem.ts'
import type { Tx } from '../../tables/tables.ts'
import { recordAppChange } from '../app-audit.ts'
import { endGrantsOfFormerTesters } from '../app-grants.ts'
import { lockOwnApp, type RegisteredApp } from '../app-store.ts'
import { newestRevision } from '../app-view.ts'
import type { AppsService } from '../apps-service.ts'
import { requireOauth } from '../oauth-access.ts'
import { testerInvitationEmail } from '../testers/tester-invitation-email.ts'
import { countTesterMails, listTesterRows, maxTesterMailsADay, replaceTesterRows, viewTester } from './tester-store.ts'

/** Who has asked for too many mails may go on after some of the last 24 hours are over. */
const retryAfterMs = 60 * 60 * 1000

/** Who is named for the first time is invited by mail; the sandbox works with their account once they have accepted. */
export function serveReplaceTesters(service: AppsService) {
  const { serve, clock, random } = service
  serve(
    replaceTesters,
    async ({ caller, params: { appId }, body, request, database }) => {
      await requireOauth(database, caller)
      return inTransaction(database, async (tx) => {
        const now = clock.now()
        const registered = await lockOwnApp(tx, appId, caller.accountId)
        if (registered === undefined) throw problem('app_not_found')
        const { app } = registered
        // What an administrator has stopped writes to nobody.
        const mails = app.status !== 'suspended'
        const mailed = await replaceTesterRows(tx, app.id, { emails: body.testers, mails, now })
        await mailInvitations(tx, service, { registered, mailed, caller, now })
        await endGrantsOfFormerTesters(tx, app, now)
        const testers = await listTesterRows(tx, app.id)
        const detail = { testers: testers.map(({ email }) => email) }
        await recordAppChange(tx, { app, caller, request, now, random, action: 'app.testers-replaced', detail })
        return { testers: testers.map(viewTester) }
      })
    },
    ({ body: { testers } }) => validateTesters(testers ?? []),
  )
}

type Invitations = { registered: RegisteredApp; mailed: readonly string[]; caller: Caller; now: Date }

/** In the language of the account of each address, where there is one. @throws too_many_requests */
async function mailInvitations(tx: Tx, service: AppsService, { registered, mailed, caller, now }: Invitations) {
  if (mailed.length === 0) return
  // Developers are held one after the other by their account's row, so that two apps at once are counted right.
  const owner = await lockAccount(tx, caller.accountId)
  if (owner === undefined) throw problem('app_not_found')
  const { baseUrl, rateLimits } = service.config
  if (rateLimits && (await countTesterMails(tx, owner.id, now)) > maxTesterMailsADay) {
    throw tooManyRequests(retryAfterMs)
  }
  const keys = mailed.map(addressKey)
  const accounts = await tx
    .selectFrom('account')
    .select(['emailKey', 'language'])
    .where('emailKey', 'in', keys)
    .execute()
  const languages = new Map(accounts.map(({ emailKey, language }) => [emailKey, language]))
  const shown = { name: `${owner.name} ${owner.lname}`.trim(), email: owner.email }
  for (const to of mailed) {
    const language = languages.get(addressKey(to)) || 'en'
    const { name: appName } = newestRevision(registered)
    await queueEmail(tx, service, testerInvitationEmail({ baseUrl, to, language, appName, owner: shown }))
  }
}

function validateTesters(testers: readonly (string | undefined)[]): Violation[] {
  if (testers.length > maxTesters) {
    return [{ path: '/testers', code: 'too_many', message: `testers must hold at most ${maxTesters} addresses.` }]
  }
  return testers.flatMap((email, index) =>
    email === undefined || isEmailAddress(email)
      ? []
      : [{ path: `/testers/${index}`, code: 'bad_format', message: `testers.${index} is not an email address.` }],
  )
}
