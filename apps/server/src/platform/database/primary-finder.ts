import pg from 'pg'
import type { Logger } from 'pino'
import { NoPrimaryError } from './database-failure.ts'
import { isWritable } from './prepare-session.ts'

/** All hosts are probed at the same time, and the primary answers at once; the rest is margin for a busy process. */
const probeLimitMs = 2_000

/** A host that accepted writes this recently is used without a probe; later another one may have been promoted. */
const trustedMs = 2_000

type Host = { host: string; port: number }

type PrimaryFinder = {
  /**
   * Find the host that accepts writes: the recently confirmed one, otherwise the first to answer. @throws
   * NoPrimaryError
   */
  find(): Promise<Host>
  /** Record that a connection to the found host accepts writes. */
  confirm(): void
  /** Probe all hosts again for the next connection, because the current host did not answer or is read-only. */
  reset(): void
}

/** Create the finder of a cluster's primary. Each of `addresses` is a complete URL with one host. */
export function createPrimaryFinder(addresses: readonly string[], log: Logger): PrimaryFinder {
  let known: Host | undefined
  let confirmedAt = 0
  let latest: Host | undefined
  let searching: Promise<Host> | undefined

  async function search(): Promise<Host> {
    try {
      const found = await Promise.any(addresses.map(probe))
      if (latest !== undefined && (latest.host !== found.host || latest.port !== found.port)) {
        log.warn({ host: found.host, port: found.port }, 'another host of the database takes writes now')
      }
      known = found
      confirmedAt = performance.now()
      latest = found
      return found
    } catch (cause) {
      // The process was too busy to receive the answers: the connection itself will show.
      if (latest !== undefined) return latest
      throw new NoPrimaryError('No host of DATABASE_URL takes writes', { cause })
    } finally {
      searching = undefined
    }
  }

  return {
    async find() {
      if (known !== undefined && performance.now() - confirmedAt < trustedMs) return known
      searching ??= search()
      return searching
    },
    confirm() {
      confirmedAt = performance.now()
    },
    reset() {
      known = undefined
    },
  }
}

async function probe(address: string): Promise<Host> {
  const client = new pg.Client({
    connectionString: address,
    application_name: 'parley',
    connectionTimeoutMillis: probeLimitMs,
    query_timeout: probeLimitMs,
  })
  // An unhandled 'error' event would end the process.
  client.on('error', () => {})
  try {
    await client.connect()
    if (!(await isWritable(client))) throw new NoPrimaryError(`${client.host} takes no writes`)
    return { host: client.host, port: client.port }
  } finally {
    client.end().catch(() => {})
  }
}

type Connected = (error: Error | null, client?: pg.Client) => void

/** The driver's client, which looks up the primary before it connects. */
export function createPrimaryClient(finder: PrimaryFinder): typeof pg.Client {
  return class PrimaryClient extends pg.Client {
    // biome-ignore lint/suspicious/noExplicitAny: the driver's overloads answer a promise or call back
    override connect(callback?: any): any {
      if (callback === undefined) {
        return new Promise((resolve, reject) => {
          this.connect((error: Error | null) => (error ? reject(error) : resolve(this)))
        })
      }
      const done: Connected = callback
      finder.find().then(
        ({ host, port }) => {
          this.host = host
          this.port = port
          super.connect((error: Error | null) => {
            if (error) finder.reset()
            done(error, this)
          })
        },
        (error) => done(error),
      )
    }
  }
}
