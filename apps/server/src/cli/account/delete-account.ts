import { type CloseAccountDependencies, closeAccount, type MeetingsAhead } from '../../account-data/close-account.ts'
import { createRenewHostSecrets } from '../../meetings/meeting-secrets.ts'
import { endGrantsOfAccount } from '../../oauth/grants/end-grants-of-account.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { ProblemError } from '../../platform/http/problem.ts'
import { StartProblem } from '../../platform/start-problem.ts'
import { createDetachAdmissions } from '../../rooms/admission/admission-store.ts'
import { disableWebhooksOfPerson } from '../../webhooks/webhook-health.ts'
import { type Dependencies, withDatabase } from '../operator.ts'
import { findNamedAccount } from './find-account.ts'

/**
 * Close an account as its owner does; a running Parley, or the next start, cancels its meetings and erases it.
 * @throws StartProblem
 */
export const deleteAccount = (dependencies: Dependencies, named: string, meetings: MeetingsAhead): Promise<void> =>
  withDatabase(dependencies, async (operator) => {
    const { database, clock, say } = operator
    const { id: accountId, email } = await findNamedAccount(database, named)
    const accessEndings = [endGrantsOfAccount, createRenewHostSecrets(operator), createDetachAdmissions(operator)]
    const signInEndings = [disableWebhooksOfPerson]
    const dependencies: CloseAccountDependencies = { ...operator, accessEndings, signInEndings }
    const closing = { accountId, tenantId: undefined, actorId: null, meetings, address: '', now: clock.now() }
    await inTransaction(database, (tx) => closeAccount(tx, dependencies, closing)).catch(
      explainLastAdministrator(email),
    )
    say(
      `The account of ${email} (${accountId}) is deleted. Its guests are told, and it is erased, by the Parley that runs.`,
    )
  })

const explainLastAdministrator = (email: string) => (error: unknown) => {
  if (!(error instanceof ProblemError) || error.code !== 'last_administrator') throw error
  throw new StartProblem(
    `${email} is the last administrator of its organisation. Make another one first: admin create EMAIL.`,
    { cause: error },
  )
}
