import { audit } from '../../access/audit.ts'
import { insertMailedLink } from '../../accounts/email-links/mailed-link-store.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { StartProblem } from '../../platform/start-problem.ts'
import { type Dependencies, withDatabase } from '../operator.ts'
import { findNamedAccount } from './find-account.ts'

/**
 * Print a link with which an account's owner chooses a new password; until then the old one keeps working. @throws
 * StartProblem
 */
export const resetPassword = (dependencies: Dependencies, named: string): Promise<void> =>
  withDatabase(dependencies, async ({ database, clock, random, config, say }) => {
    const { id, tenantId, email, disabledAt } = await findNamedAccount(database, named)
    if (disabledAt !== null) throw new StartProblem(`The account of ${email} is disabled. Enable it first.`)
    const now = clock.now()
    const token = await inTransaction(database, async (tx) => {
      const entry = { tenantId, actorId: null, subjectId: id, address: '' }
      await audit(tx, random, now, {
        ...entry,
        action: 'account.updated',
        detail: { passwordLink: 'printed', by: 'operator' },
      })
      return insertMailedLink(tx, random, { accountId: id, purpose: 'reset-password', now })
    })
    say(`Whoever has this link chooses the password of ${email}, within an hour:`)
    say(`${config.baseUrl}/reset-password#token=${token}`)
  })
