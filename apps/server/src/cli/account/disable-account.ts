import { audit } from '../../access/audit.ts'
import { lockAccount } from '../../accounts/account/account-store.ts'
import { lockTenant } from '../../accounts/account/tenant-store.ts'
import { endAccess } from '../../accounts/end-access.ts'
import { hasAnotherAdministrator } from '../../accounts/tenant-administrators.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { StartProblem } from '../../platform/start-problem.ts'
import { type Dependencies, withDatabase } from '../operator.ts'
import { findNamedAccount } from './find-account.ts'

/** Disable an account as an administrator does, or enable it again. @throws StartProblem */
export const setDisabled = (dependencies: Dependencies, named: string, disabled: boolean): Promise<void> =>
  withDatabase(dependencies, async ({ database, clock, random, say }) => {
    const { id, tenantId, email } = await findNamedAccount(database, named)
    const now = clock.now()
    await inTransaction(database, async (tx) => {
      await lockTenant(tx, tenantId)
      const account = await lockAccount(tx, id)
      if (account === undefined || (account.disabledAt !== null) === disabled) return
      if (disabled && account.administrator && !(await hasAnotherAdministrator(tx, account))) {
        throw new StartProblem(
          `${email} is the last administrator of its organisation. Make another one first: admin create EMAIL.`,
        )
      }
      await tx
        .updateTable('account')
        .set({ disabledAt: disabled ? now : null, modifiedAt: now })
        .where('id', '=', id)
        .execute()
      if (disabled) await endAccess(tx, id, now)
      const entry = { tenantId, actorId: null, subjectId: id, address: '' }
      const detail = { disabled: { before: !disabled, after: disabled }, by: 'operator' }
      await audit(tx, random, now, { ...entry, action: 'account.updated', detail })
    })
    say(`The account of ${email} is ${disabled ? 'disabled' : 'enabled'}.`)
  })
