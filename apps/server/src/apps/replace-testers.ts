import { replaceTesters, type Violation } from '@parley/contract'
import { isEmailAddress } from '@parley/rules/email-address'
import { inTransaction } from '../platform/database.ts'
import { problem } from '../platform/problem.ts'
import { recordAppChange } from './app-audit.ts'
import { endGrantsOfFormerTesters } from './app-grants.ts'
import { lockOwnApp } from './app-store.ts'
import type { AppsService } from './apps-service.ts'
import { requireOauth } from './oauth-access.ts'
import { listTesterRows, mostTesters, replaceTesterRows } from './tester-store.ts'

export function serveReplaceTesters({ serve, clock, random }: AppsService) {
  serve(
    replaceTesters,
    async ({ caller, params: { appId }, body, request, database }) => {
      await requireOauth(database, caller)
      return inTransaction(database, async (tx) => {
        const now = clock.now()
        const registered = await lockOwnApp(tx, appId, caller.accountId)
        if (registered === undefined) throw problem('app_not_found')
        const { app } = registered
        await replaceTesterRows(tx, app.id, body.testers)
        await endGrantsOfFormerTesters(tx, app, now)
        const testers = await listTesterRows(tx, app.id)
        const detail = { testers: testers.map(({ email }) => email) }
        await recordAppChange(tx, { app, caller, request, now, random, action: 'app.testers-replaced', detail })
        return { testers }
      })
    },
    ({ body: { testers } }) => judgeTesters(testers ?? []),
  )
}

function judgeTesters(testers: readonly (string | undefined)[]): Violation[] {
  if (testers.length > mostTesters) {
    return [{ path: '/testers', code: 'too_many', message: `testers must hold at most ${mostTesters} addresses.` }]
  }
  return testers.flatMap((email, index) =>
    email === undefined || isEmailAddress(email)
      ? []
      : [{ path: `/testers/${index}`, code: 'bad_format', message: `testers.${index} is not an e-mail address.` }],
  )
}
