import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { operations, type SpanStart } from '../operation.ts'
import { isPlanOutdated, readDatabaseFailure } from './database-failure.ts'
import { queryRows } from './rows.ts'

/** PostgreSQL keeps each once per connection; dynamic filters produce more texts than are worth keeping. */
const maxNamedStatements = 500

/**
 * Wrap the pool for Kysely so that statements with values are sent under a name: PostgreSQL parses and plans them once
 * per connection (docs/decisions/0003).
 */
export function nameStatements(pool: Pool, maxStatements = maxNamedStatements): PostgresPool {
  const names = new StatementNames(maxStatements)
  const clients = new WeakMap<PoolClient, NamingClient>()

  return {
    options: pool.options,
    end: () => pool.end(),
    async connect() {
      const client = await pool.connect()
      const known = clients.get(client)
      if (known !== undefined) return known
      const naming = new NamingClient(client, names)
      clients.set(client, naming)
      return naming
    },
  }
}

class StatementNames {
  readonly spanOf: ReturnType<typeof createStatementSpans>
  readonly #maxStatements: number
  readonly #nameByText = new Map<string, string>()
  #made = 0

  constructor(maxStatements: number) {
    this.#maxStatements = maxStatements
    this.spanOf = createStatementSpans(maxStatements)
  }

  of(text: string): string | undefined {
    const known = this.#nameByText.get(text)
    if (known !== undefined || this.#nameByText.size >= this.#maxStatements) return known
    const name = `parley_${++this.#made}`
    this.#nameByText.set(text, name)
    return name
  }

  /** Use new names for all statements; the old plans end with their connections. */
  clear() {
    this.#nameByText.clear()
  }
}

class NamingClient implements PostgresPoolClient {
  readonly #client: PoolClient
  readonly #names: StatementNames
  #isSpoiled = false
  /** A rollback may still be sent, but the connection is not reused: its server is a standby or unavailable. */
  #isDropped = false

  constructor(client: PoolClient, names: StatementNames) {
    this.#client = client
    this.#names = names
  }

  query<R>(text: string, values: ReadonlyArray<unknown>): Promise<PostgresQueryResult<R>>
  query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  query<R>(
    text: string | PostgresCursor<R>,
    values: ReadonlyArray<unknown> = [],
  ): Promise<PostgresQueryResult<R>> | PostgresCursor<R> {
    if (typeof text !== 'string') throw new TypeError('Cursors are not used here')
    const parent = operations.getStore()?.span
    if (parent === undefined) return this.#send<R>(text, [...values])
    const span = parent.startChild(this.#names.spanOf(text))
    const sent = this.#send<R>(text, [...values])
    sent.then(
      () => span.end(),
      (error: unknown) => span.end({ error }),
    )
    return sent
  }

  /** A connection with a pending answer must not be reused. */
  release(destroy = false) {
    this.#client.release(destroy || this.#isSpoiled || this.#isDropped)
  }

  async #send<R>(text: string, values: unknown[]): Promise<PostgresQueryResult<R>> {
    // Kysely would wait the same time again for its rollback.
    if (this.#isSpoiled) throw new Error('Client was closed and is not queryable')
    // Without values it is BEGIN or COMMIT, for which the simple protocol needs a single round trip.
    const name = values.length === 0 ? undefined : this.#names.of(text)
    try {
      return await queryRows<R>(this.#client, name === undefined ? { text, values } : { name, text, values })
    } catch (error) {
      if (isResponseOverdue(error)) this.#isSpoiled = true
      if (readDatabaseFailure(error)?.dropsConnection) this.#isDropped = true
      if (!isPlanOutdated(error)) throw error
      this.#names.clear()
      if (this.#client.getTransactionStatus() !== 'I') throw error
      return await queryRows<R>(this.#client, { text, values })
    }
  }
}

/** pg's error when the client's query timeout expires. */
const isResponseOverdue = (error: unknown) => error instanceof Error && error.message === 'Query read timeout'

/** Statements have up to six thousand characters, and a name is enough to find one in the code. */
const maxTracedTextLength = 1_000

/**
 * Describe statements for their spans, each once. Texts contain placeholders, not values.
 * https://opentelemetry.io/docs/specs/semconv/database/postgresql/
 */
function createStatementSpans(maxStatements: number): (text: string) => SpanStart {
  const known = new Map<string, SpanStart>()
  return (text) => {
    const cached = known.get(text)
    if (cached !== undefined) return cached
    const described = describeStatement(text)
    if (known.size < maxStatements) known.set(text, described)
    return described
  }
}

/** Name a statement after the comment of `defineStatement`, or after its first verb and table. */
export function describeStatement(text: string): SpanStart {
  const [, name, verb = ''] = /^(?:\/\* ([\w-]+) \*\/)?\s*([a-z]*)/i.exec(text) ?? []
  const operation = verb.toUpperCase()
  const table = /\b(?:from|into|update)\s+"?([a-z_]+)"?/i.exec(text)?.[1]
  const summary = name ?? (table === undefined ? operation : `${operation} ${table}`)
  return {
    name: summary,
    kind: 'client',
    attributes: {
      'db.system.name': 'postgresql',
      'db.operation.name': operation,
      'db.query.summary': summary,
      'db.query.text': text.length > maxTracedTextLength ? `${text.slice(0, maxTracedTextLength)}…` : text,
    },
  }
}
