import { replaceTesters } from '@parley/contract'
import { maxTesters } from '@parley/rules/oauth-apps/app-limits'
import { addressKey, isEmailAddress } from '@parley/rules/text/email-address'
import { collect, type Reading, readRequired, refuse, refuseAt } from '@parley/rules/text/reading'
import { violationAt } from '@parley/rules/text/violation'
import type { Caller } from '../../access/caller.ts'
import { lockAccount } from '../../accounts/account/account-store.ts'
import { queueEmail } from '../../accounts/email-links/queue-email.ts'
import { inTransaction, type Tx } from '../../platform/database/database.ts'
import { problem, tooManyRequests } from '../../platform/http/problem.ts'
import { recordAppChange } from '../app-audit.ts'
import { endGrantsOfFormerTesters } from '../app-grants.ts'
import { lockOwnApp, type RegisteredApp } from '../app-store.ts'
import { newestRevision } from '../app-view.ts'
import type { AppsService } from '../apps-service.ts'
import { requireOauth } from '../oauth-access.ts'
import { testerInvitationEmail } from './tester-invitation-email.ts'
import {
  countTesterEmails,
  listTesterRows,
  maxTesterEmailsPerDay,
  replaceTesterRows,
  viewTester,
} from './tester-store.ts'

/** Some of the emails leave the 24-hour window within this time. */
const retryAfterMs = 60 * 60 * 1000

/**
 * Replace the testers of an app, unless reviewers have rejected it or put it on hold. New testers are invited by email; the sandbox accepts their account once they have
 * accepted.
 */
export function serveReplaceTesters(service: AppsService) {
  const { serve, clock, random } = service
  serve(replaceTesters, {
    read: ({ body }) => readRequired(body.testers, readTesters),
    handle: async ({ caller, params: { appId }, input: emails, request, database }) => {
      await requireOauth(database, caller)
      return inTransaction(database, async (tx) => {
        const now = clock.now()
        const registered = await lockOwnApp(tx, appId, caller.accountId)
        if (registered === undefined) throw problem('app_not_found')
        const { app } = registered
        if ((app.status === 'rejected' || app.status === 'on_hold') && emails.length > 0)
          throw problem('testers_not_allowed')
        // A suspended app sends no email.
        const mails = app.status !== 'suspended'
        const mailed = await replaceTesterRows(tx, app.id, { emails, mails, now })
        await emailInvitations(tx, service, { registered, mailed, caller, now })
        await endGrantsOfFormerTesters(tx, app, now)
        const testers = await listTesterRows(tx, app.id)
        const detail = { testers: testers.map(({ email }) => email) }
        await recordAppChange(tx, { app, caller, request, now, random, action: 'app.testers-replaced', detail })
        return { testers: testers.map(viewTester) }
      })
    },
  })
}

type Invitations = { registered: RegisteredApp; mailed: readonly string[]; caller: Caller; now: Date }

/** Email invitations, each in the language of the address's account if there is one. @throws too_many_requests */
async function emailInvitations(tx: Tx, service: AppsService, { registered, mailed, caller, now }: Invitations) {
  if (mailed.length === 0) return
  // Lock the owner's account, so that concurrent changes of two apps are counted correctly.
  const owner = await lockAccount(tx, caller.accountId)
  if (owner === undefined) throw problem('app_not_found')
  const { baseUrl, rateLimits } = service.config
  if (rateLimits && (await countTesterEmails(tx, owner.id, now)) > maxTesterEmailsPerDay) {
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
    const { name: appName, number } = newestRevision(registered)
    const isApproved = number === registered.app.liveRevision
    const invitation = { baseUrl, to, language, appName, owner: shown, isApproved }
    await queueEmail(tx, service, testerInvitationEmail(invitation))
  }
}

function readTesters(testers: readonly (string | undefined)[]): Reading<string[]> {
  if (testers.length > maxTesters) {
    return refuseAt('/testers', 'too_many', `must hold at most ${maxTesters} addresses`)
  }
  const readTester = (email: string, index: number): Reading<string> =>
    isEmailAddress(email)
      ? { value: email }
      : refuse(violationAt(`/testers/${index}`, { code: 'bad_format', message: 'is not an email address' }))
  return collect(testers.map((tester, index) => readRequired(tester, (email) => readTester(email, index))))
}
