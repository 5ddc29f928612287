import { addressKey } from '@parley/rules/text/email-address'
import { audit } from '../access/audit.ts'
import { findAccountByAddress, lockAccount } from '../accounts/account/account-store.ts'
import { deleteOauthRequest } from '../accounts/administration/oauth-request-store.ts'
import { emailLanguage, oauthEnabledEmail } from '../accounts/email-links/account-emails.ts'
import { queueEmail } from '../accounts/email-links/queue-email.ts'
import { inTransaction } from '../platform/database/database.ts'
import { StartProblem } from '../platform/start-problem.ts'
import { type Dependencies, withDatabase } from './operator.ts'

/** Let an account register apps, as an administrator does. @throws StartProblem */
export const oauthEnable = (dependencies: Dependencies, email: string): Promise<void> =>
  withDatabase(dependencies, async (operator) => {
    const { database, clock, random, say, config } = operator
    const now = clock.now()
    await inTransaction(database, async (tx) => {
      const found = await findAccountByAddress(tx, addressKey(email))
      const account = found && (await lockAccount(tx, found.id))
      if (account === undefined) throw new StartProblem(`There is no account of ${email}.`)
      const isAnswered = await deleteOauthRequest(tx, account.id)
      if (account.oauthEnabled) return
      if (isAnswered && account.disabledAt === null) {
        const mail = { baseUrl: config.baseUrl, to: account.email, language: emailLanguage(account.language) }
        await queueEmail(tx, operator, oauthEnabledEmail(mail))
      }
      await tx
        .updateTable('account')
        .set({ oauthEnabled: true, modifiedAt: now })
        .where('id', '=', account.id)
        .execute()
      const entry = { tenantId: account.tenantId, actorId: null, subjectId: account.id, address: '' }
      const detail = { oauthEnabled: { before: false, after: true }, by: 'operator' }
      await audit(tx, random, now, { ...entry, action: 'account.updated', detail })
    })
    say(`OAuth is enabled for ${email}.`)
  })
