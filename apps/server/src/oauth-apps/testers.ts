import {
  answerTesterInvitation,
  listTesterInvitations,
  listTesters,
  replaceTesters,
  type TesterState,
} from '@parley/contract'
import { maxTesters } from '@parley/rules/oauth-apps/app-limits'
import { addressKey, isEmailAddress } from '@parley/rules/text/email-address'
import { collect, type Parsed, readRequired, refuse, refuseAt } from '@parley/rules/text/parsed'
import { violationAt } from '@parley/rules/text/violation'
import type { Caller } from '../access/caller.ts'
import { lockAccount } from '../accounts/account/account-store.ts'
import { queueEmail } from '../accounts/email-links/queue-email.ts'
import { inTransaction, type Tx } from '../platform/database/database.ts'
import { problem, tooManyRequests } from '../platform/http/problem.ts'
import type { Random } from '../platform/random.ts'
import { recordAppChange } from './app-audit.ts'
import { testerInvitationEmail } from './app-emails.ts'
import { endGrantsOfFormerTesters } from './app-grants.ts'
import { lockApp, newestRevision, type RegisteredApp, requireOwnApp, requireOwnAppForUpdate } from './app-store.ts'
import type { Dependencies } from './dependencies.ts'
import { requireOauth } from './oauth-access.ts'
import {
  answerTesterRow,
  countTesterEmails,
  findInvitationRow,
  findLanguages,
  type InvitationRow,
  listInvitationRows,
  listTesterRows,
  maxTesterEmailsPerDay,
  replaceTesterRows,
  toTester,
  toTesterInvitation,
} from './tester-store.ts'

/** Register the endpoints of an app's testers, and of the invitations that a person has. */
export function registerTesters(dependencies: Dependencies): void {
  serveListTesters(dependencies)
  serveReplaceTesters(dependencies)
  serveListTesterInvitations(dependencies)
  serveAnswerTesterInvitation(dependencies)
}

function serveListTesters({ serve }: Dependencies) {
  serve(listTesters, {
    handle: async ({ caller, params: { appId }, database }) => {
      await requireOauth(database, caller)
      const { app } = await requireOwnApp(database, appId, caller.accountId)
      const testers = await listTesterRows(database, app.id)
      return { testers: testers.map(toTester) }
    },
  })
}

/** Retry-After of invitations above the limit of 24 hours; some emails are older by then. */
const retryAfterMs = 60 * 60 * 1000

/**
 * Replace the testers of an app, unless reviewers have rejected it or put it on hold. New testers are invited by email;
 * the sandbox accepts their accounts once they have accepted the invitation.
 */
function serveReplaceTesters(dependencies: Dependencies) {
  const { serve, clock, random } = dependencies
  serve(replaceTesters, {
    read: ({ body }) => readRequired(body.testers, readTesters),
    handle: async ({ caller, params: { appId }, input: emails, request, database }) => {
      await requireOauth(database, caller)
      return inTransaction(database, async (tx) => {
        const now = clock.now()
        const registered = await requireOwnAppForUpdate(tx, appId, caller.accountId)
        const { app } = registered
        if ((app.status === 'rejected' || app.status === 'on_hold') && emails.length > 0) {
          throw problem('testers_not_allowed')
        }
        // A suspended app sends no email.
        const mails = app.status !== 'suspended'
        const mailed = await replaceTesterRows(tx, app.id, { emails, mails, now })
        await emailInvitations(tx, dependencies, { registered, mailed, caller, now })
        await endGrantsOfFormerTesters(tx, app, now)
        const testers = await listTesterRows(tx, app.id)
        const detail = { testers: testers.map(({ email }) => email) }
        await recordAppChange(tx, { app, caller, request, now, random, action: 'app.testers-replaced', detail })
        return { testers: testers.map(toTester) }
      })
    },
  })
}

type Invitations = { registered: RegisteredApp; mailed: readonly string[]; caller: Caller; now: Date }

/** Email the invitations, each in the language of the invited account, or in English. @throws too_many_requests */
async function emailInvitations(tx: Tx, dependencies: Dependencies, { registered, mailed, caller, now }: Invitations) {
  if (mailed.length === 0) return
  // Concurrent changes of two apps of this owner wait here, so that all emails are counted.
  const owner = await lockAccount(tx, caller.accountId)
  if (owner === undefined) throw problem('app_not_found')
  const { baseUrl, rateLimits } = dependencies.config
  if (rateLimits && (await countTesterEmails(tx, owner.id, now)) > maxTesterEmailsPerDay) {
    throw tooManyRequests(retryAfterMs)
  }
  const languages = await findLanguages(tx, mailed.map(addressKey))
  const shown = { name: `${owner.name} ${owner.lname}`.trim(), email: owner.email }
  for (const to of mailed) {
    const language = languages.get(addressKey(to)) || 'en'
    const { name: appName, number } = newestRevision(registered)
    const isApproved = number === registered.app.liveRevision
    const invitation = { baseUrl, to, language, appName, owner: shown, isApproved }
    await queueEmail(tx, dependencies, testerInvitationEmail(invitation))
  }
}

function readTesters(testers: readonly (string | undefined)[]): Parsed<string[]> {
  if (testers.length > maxTesters) {
    return refuseAt('/testers', 'too_many', `must hold at most ${maxTesters} addresses`)
  }
  const readTester = (email: string, index: number): Parsed<string> =>
    isEmailAddress(email)
      ? { value: email }
      : refuse(violationAt(`/testers/${index}`, { code: 'bad_format', message: 'is not an email address' }))
  return collect(testers.map((tester, index) => readRequired(tester, (email) => readTester(email, index))))
}

function serveListTesterInvitations({ serve }: Dependencies) {
  serve(listTesterInvitations, {
    handle: async ({ caller, database }) => ({
      invitations: (await listInvitationRows(database, caller)).map(toTesterInvitation),
    }),
  })
}

function serveAnswerTesterInvitation({ serve, clock, random }: Dependencies) {
  serve(answerTesterInvitation, {
    handle: ({ caller, params: { appId }, body: { answer }, request, database }) =>
      inTransaction(database, async (tx) => {
        const answered = { appId, caller, answer, request, now: clock.now(), random }
        return toTesterInvitation(await recordTesterAnswer(tx, answered))
      }),
  })
}

type TesterAnswer = {
  appId: string
  caller: Caller
  answer: Exclude<TesterState, 'pending'>
  request: { id: string; address: string }
  now: Date
  random: Random
}

/**
 * Record the answer of an invited person, for the API and the authorization pages. The app is locked, so that a
 * concurrent consent either sees a declined invitation or is revoked with it.
 * @throws tester_invitation_not_found
 */
export async function recordTesterAnswer(tx: Tx, { appId, caller, answer, request, now, random }: TesterAnswer) {
  await lockApp(tx, appId)
  const before = await findInvitationRow(tx, appId, caller)
  if (before === undefined) throw problem('tester_invitation_not_found')
  if (before.state === answer) return before

  await answerTesterRow(tx, appId, caller.addressKey, { state: answer, now })
  const app = { id: appId, ownerId: before.ownerId }
  if (answer === 'declined') await endGrantsOfFormerTesters(tx, app, now)
  await recordAppChange(tx, {
    // The audit entry is about the tester; the owner of the app reads the event.
    app: { id: appId, ownerId: caller.accountId },
    caller,
    request,
    now,
    random,
    action: `app-test.${answer}`,
    detail: { name: before.name },
    event: {
      kind: `tester_${answer}`,
      cause: `The tester ${caller.addressKey} ${answer} the invitation.`,
      sandbox: true,
    },
  })
  const after: InvitationRow = { ...before, state: answer, answeredAt: now }
  return after
}
