import { requestOauthAccess } from '@parley/contract'
import { plainTextFault } from '@parley/rules/plain-text'
import { audit } from '../access/audit.ts'
import { inTransaction } from '../platform/database.ts'
import type { AppsService } from './apps-service.ts'

const longestReason = 1_000

/** Asking again replaces what was asked before; administrators see it with the account until one enables OAuth. */
export function serveRequestOauthAccess({ serve, clock, random }: AppsService) {
  serve(
    requestOauthAccess,
    ({ caller, body: { reason }, request, database }) =>
      inTransaction(database, async (tx) => {
        const now = clock.now()
        const account = await tx
          .selectFrom('account')
          .select('oauthEnabled')
          .where('id', '=', caller.accountId)
          .executeTakeFirst()
        if (account?.oauthEnabled) return { status: 'OAuth is enabled for your account already.' }
        await tx
          .insertInto('oauthAccessRequest')
          .values({ accountId: caller.accountId, reason, createdAt: now })
          .onConflict((conflict) => conflict.column('accountId').doUpdateSet({ reason, createdAt: now }))
          .execute()
        const entry = { tenantId: caller.tenantId, actorId: caller.accountId, subjectId: caller.accountId }
        const { address } = request
        await audit(tx, random, now, { ...entry, action: 'oauth.requested', detail: { reason }, address })
        return { status: 'An administrator has been asked to enable OAuth for your account.' }
      }),
    ({ body: { reason } }) => {
      const limits = { minLength: 1, maxLength: longestReason, lines: true }
      const fault = reason === undefined ? undefined : plainTextFault(reason, limits)
      return fault ? [{ path: '/reason', code: fault.code, message: `reason ${fault.message}.` }] : []
    },
  )
}
