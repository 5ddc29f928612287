import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { operations } from '../operation.ts'
import { isPlanOutdated, readDatabaseFailure } from './database-failure.ts'
import { createStatementSpans } from './statement-span.ts'

/** Each is kept by PostgreSQL once per connection; filters that are put together make more texts than are worth that. */
const maxNamedStatements = 500

/**
 * The pool as Kysely sees it: a statement with values is sent under a name, so that PostgreSQL parses and plans it once
 * per connection and not each time (docs/decisions/0003).
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

  /** New names for everything; the plans behind the old ones end with their connections. */
  forget() {
    this.#nameByText.clear()
  }
}

class NamingClient implements PostgresPoolClient {
  readonly #client: PoolClient
  readonly #names: StatementNames
  #isSpoiled = false
  /** A rollback may still be sent, but nobody else gets this connection: it leads to a standby, or to no server for long. */
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

  /** A connection on which an answer is still due must not be handed to the next one. */
  release(destroy = false) {
    this.#client.release(destroy || this.#isSpoiled || this.#isDropped)
  }

  async #send<R>(text: string, values: unknown[]): Promise<PostgresQueryResult<R>> {
    // Kysely would wait as long again for its rollback to be answered.
    if (this.#isSpoiled) throw new Error('Client was closed and is not queryable')
    // Without values it is BEGIN or COMMIT, for which one round of the simple protocol is the shortest way.
    const name = values.length === 0 ? undefined : this.#names.of(text)
    try {
      const result = await this.#client.query(name === undefined ? { text, values } : { name, text, values })
      return result as unknown as PostgresQueryResult<R>
    } catch (error) {
      if (isAnswerOverdue(error)) this.#isSpoiled = true
      if (readDatabaseFailure(error)?.dropsConnection) this.#isDropped = true
      if (!isPlanOutdated(error)) throw error
      this.#names.forget()
      if (this.#client.getTransactionStatus() !== 'I') throw error
      return (await this.#client.query({ text, values })) as unknown as PostgresQueryResult<R>
    }
  }
}

/** What pg says when the client's own time limit for an answer ran out. */
const isAnswerOverdue = (error: unknown) => error instanceof Error && error.message === 'Query read timeout'
