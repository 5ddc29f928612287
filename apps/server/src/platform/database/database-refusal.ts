import { StartProblem } from '../start-problem.ts'
import { readDatabaseFailure } from './database-failure.ts'

/**
 * Throws what went wrong with the database at the start as a StartProblem, when it is PostgreSQL or the way to it that
 * refuses: a wrong address or password, a right that is missing. Their messages hold no password. Anything else is a
 * mistake of ours and thrown as it is.
 */
export function explainDatabaseRefusal(error: unknown): never {
  if (error instanceof StartProblem) throw error
  const reasons = error instanceof AggregateError ? error.errors : [error]
  const isRefusal = reasons.some((reason) => hasCode(reason) || readDatabaseFailure(reason) !== undefined)
  if (!isRefusal) throw error
  const told = [...new Set(reasons.map((reason) => (reason instanceof Error ? reason.message : String(reason))))]
  throw new StartProblem(
    `The database cannot be used (${told.join('; ')}). Check that PostgreSQL runs, that DATABASE_URL leads to it, ` +
      'and that its user may make tables.',
    { cause: error },
  )
}

/** The system's errors and PostgreSQL's have codes. */
const hasCode = (error: unknown) => typeof (Object(error) as { code?: unknown }).code === 'string'
