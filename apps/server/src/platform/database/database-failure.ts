import { codeOf, messageOf } from '../errors.ts'
import { StartProblem } from '../start-problem.ts'

/**
 * A failure of the database rather than of the request. The SQLSTATE, or the driver's error, determines the response
 * everywhere (API, token endpoint, pages, streams) and whether the connection is reused.
 * https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
type DatabaseFailure = {
  cause: DatabaseFailureCause
  /** Whole seconds, for the Retry-After of the 503. */
  retryAfterSeconds: number
  /** The connection is unreliable: close it, and the next one may reach another server. */
  dropsConnection: boolean
}

export const databaseFailureCauses = [
  'away', // shutting down, crashed, starting up, unreachable
  'read-only', // a standby, or a primary that became one
  'out-of-resources', // disk, memory, connections
  'system-error', // input and output
  'access-refused', // role, password, database
  'timeout', // statement, lock or transaction took too long
  'conflict', // lost against other transactions every time
  'busy', // all connections of the pool are in use, by load or by a server that does not respond
  'statement-lost', // a pooler has exchanged the server behind the connection
] as const
export type DatabaseFailureCause = (typeof databaseFailureCauses)[number]

/** An operator must act, or a failover must finish: retrying at once is useless. */
const laterSeconds = 10
const soonSeconds = 2

const away: DatabaseFailure = { cause: 'away', retryAfterSeconds: soonSeconds, dropsConnection: true }
const accessRefused: DatabaseFailure = {
  cause: 'access-refused',
  retryAfterSeconds: laterSeconds,
  dropsConnection: true,
}
const outOfResources: DatabaseFailure = {
  cause: 'out-of-resources',
  retryAfterSeconds: laterSeconds,
  dropsConnection: false,
}
const busy: DatabaseFailure = { cause: 'busy', retryAfterSeconds: soonSeconds, dropsConnection: false }
const timeout: DatabaseFailure = { cause: 'timeout', retryAfterSeconds: soonSeconds, dropsConnection: false }
const conflict: DatabaseFailure = { cause: 'conflict', retryAfterSeconds: soonSeconds, dropsConnection: false }
const statementLost: DatabaseFailure = {
  cause: 'statement-lost',
  retryAfterSeconds: soonSeconds,
  dropsConnection: true,
}

/** Failures by SQLSTATE or its prefix; the longest match counts. */
const failureByState: Readonly<Record<string, DatabaseFailure>> = {
  '08': away, // connection exception
  '57P': away, // 01 administrator, 02 crash, 03 starting up or shutting down, 04 dropped, 05 idle session
  '25006': { cause: 'read-only', retryAfterSeconds: soonSeconds, dropsConnection: true },
  '53': outOfResources, // 53100 disk full, 53200 out of memory
  '53300': { ...outOfResources, retryAfterSeconds: soonSeconds }, // too many connections
  '58': { cause: 'system-error', retryAfterSeconds: laterSeconds, dropsConnection: false },
  '28': accessRefused, // role rotated, nologin, wrong password
  '3D': accessRefused, // the database is gone
  '57014': timeout, // statement_timeout, or cancelled
  '55P03': timeout, // lock_timeout
  '25P03': { ...timeout, dropsConnection: true }, // idle in transaction, ended by the server
  '25P04': { ...timeout, dropsConnection: true }, // transaction_timeout
  '40001': conflict, // serialization failure, after all tries
  '40P01': conflict, // deadlock, after all tries
  '26000': statementLost, // the prepared statement is not there
  '42P05': statementLost, // or is there already
}

/** While connecting, this means that the database does not accept connections; later it has other meanings. */
const objectNotInState = '55000'

const systemErrors = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'ENOTFOUND',
  'EAI_AGAIN',
])

/** pg-pool's error when none of its connections became free in time: a server that cannot be reached is another one. */
const poolExhausted = 'timeout exceeded when trying to connect'

/** Errors without a code in pg. */
const driverMessages = new Set([
  'timeout expired',
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Connection terminated due to connection timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Query read timeout',
  'Cannot use a pool after calling end on the pool',
])

/** None of the hosts in DATABASE_URL accepts writes. */
export class NoPrimaryError extends Error {
  override name = 'NoPrimaryError'
}

/** Classify an error as a database failure, which is answered with 503; undefined for other errors. */
export function readDatabaseFailure(error: unknown): DatabaseFailure | undefined {
  if (!(error instanceof Error)) return undefined
  if (error instanceof NoPrimaryError) return { ...away, cause: 'read-only' }
  const { code, syscall, severity } = error as Error & { code?: unknown; syscall?: unknown; severity?: unknown }
  if (typeof code === 'string') {
    // A client that disconnects is an ECONNRESET too, but without a system call.
    if (systemErrors.has(code) && syscall !== undefined) return away
    // The Unix socket is missing while PostgreSQL is not running.
    if (code === 'ENOENT' && syscall === 'connect') return away
    const failure = failureByState[code] ?? failureByState[code.slice(0, 3)] ?? failureByState[code.slice(0, 2)]
    // Node's codes (EACCES) are longer than an SQLSTATE, and must not match.
    if (failure !== undefined && code.length === 5)
      return severity === 'FATAL' ? { ...failure, dropsConnection: true } : failure
    if (code === objectNotInState && severity === 'FATAL') return accessRefused
  }
  if (isPlanOutdated(error)) return conflict
  if (error.message === poolExhausted) return busy
  if (driverMessages.has(error.message)) return away
  return error.cause === undefined ? undefined : readDatabaseFailure(error.cause)
}

/** Another instance has migrated, and `select *` returns other columns than when it was planned. */
export function isPlanOutdated(error: unknown): boolean {
  const { code, routine } = Object(error) as { code?: unknown; routine?: unknown }
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}

/** Whether the transaction conflicted with another one, so that a retry may succeed. */
export function isConflict(error: unknown): boolean {
  const { code } = Object(error) as { code?: unknown }
  return code === '40001' || code === '40P01' || isPlanOutdated(error)
}

/**
 * Whether a statement failed because a row with the same unique key exists.
 * @param constraint only of this constraint; undefined: of any
 * @see https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const failure = Object(error) as { code?: unknown; constraint?: unknown }
  return failure.code === '23505' && (constraint === undefined || failure.constraint === constraint)
}

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
