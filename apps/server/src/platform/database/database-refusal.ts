import { codeOf, messageOf } from '../error-facts.ts'
import { StartProblem } from '../start-problem.ts'
import { readDatabaseFailure } from './database-failure.ts'

/**
 * Throw a StartProblem for errors of PostgreSQL or of the connection at startup: a wrong address or password, or a
 * missing right. Their messages contain no password. Other errors are bugs and rethrown unchanged.
 */
export function explainDatabaseRefusal(error: unknown): never {
  if (error instanceof StartProblem) throw error
  const reasons = error instanceof AggregateError ? error.errors : [error]
  const isRefusal = reasons.some((reason) => codeOf(reason) !== '' || readDatabaseFailure(reason) !== undefined)
  if (!isRefusal) throw error
  const messages = [...new Set(reasons.map(messageOf))]
  throw new StartProblem(
    `The database cannot be used (${messages.join('; ')}). Check that PostgreSQL runs, that DATABASE_URL leads to it, ` +
      'and that its user may make tables.',
    { cause: error },
  )
}
