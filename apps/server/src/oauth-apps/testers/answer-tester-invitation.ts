import { answerTesterInvitation, type TesterState } from '@parley/contract'
import type { Caller } from '../../access/caller.ts'
import { inTransaction, type Tx } from '../../platform/database/database.ts'
import { isUuid } from '../../platform/database/uuid.ts'
import { problem } from '../../platform/http/problem.ts'
import type { Random } from '../../platform/random.ts'
import { recordAppChange } from '../app-audit.ts'
import { endGrantsOfFormerTesters } from '../app-grants.ts'
import type { AppsService } from '../apps-service.ts'
import { findInvitationRow, type InvitationRow, viewInvitation } from './tester-invitation-store.ts'
import { answerTesterRow } from './tester-store.ts'

export function serveAnswerTesterInvitation({ serve, clock, random }: AppsService) {
  serve(answerTesterInvitation, {
    handle: ({ caller, params: { appId }, body: { answer }, request, database }) =>
      inTransaction(database, async (tx) => {
        const answered = { appId, caller, answer, request, now: clock.now(), random }
        return viewInvitation(await recordTesterAnswer(tx, answered))
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
 * Record an invited person's answer, for the API and the authorization pages. The app is locked, so that a concurrent
 * consent either sees a declined invitation or is revoked with it.
 * @throws tester_invitation_not_found
 */
export async function recordTesterAnswer(tx: Tx, { appId, caller, answer, request, now, random }: TesterAnswer) {
  if (isUuid(appId)) await tx.selectFrom('app').select('id').where('id', '=', appId).forUpdate().execute()
  const before = await findInvitationRow(tx, appId, caller)
  if (before === undefined) throw problem('tester_invitation_not_found')
  if (before.state === answer) return before

  await answerTesterRow(tx, appId, caller.addressKey, { state: answer, now })
  const app = { id: appId, ownerId: before.ownerId }
  if (answer === 'declined') await endGrantsOfFormerTesters(tx, app, now)
  await recordAppChange(tx, {
    // The audit entry belongs to the tester; the owner reads the event.
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
