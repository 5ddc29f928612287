import type { Logger } from 'pino'
import { supervise } from '../supervise.ts'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import type { SocketFolder } from './socket-folder.ts'

/**
 * The pauses before consecutive restarts. A single kill recovers with the first; a full disk or a damaged file still
 * fails after the last.
 */
const pausesMs = [100, 500, 1_000, 2_000, 4_000]

type SupervisedPostgres = Omit<EmbeddedPostgres, 'halt'>

type Options = { dataDir: string; log: Logger }

/**
 * Run the private PostgreSQL and restart it at the same address when it ends unexpectedly, so that the pool reconnects
 * by itself. `ended` resolves with the last failure after several restarts in a row have failed.
 *
 * @throws StartProblem when the first start fails
 */
export async function startSupervisedPostgres(options: Options): Promise<SupervisedPostgres> {
  const { log } = options
  const first = await startEmbeddedPostgres(options)
  const stopping = new AbortController()
  const givenUp = Promise.withResolvers<string>()
  let address: SocketFolder | undefined

  async function start() {
    const server = address === undefined ? first : await startEmbeddedPostgres({ ...options, address })
    return {
      ended: server.ended,
      async stop() {
        address = await server.halt()
      },
    }
  }

  async function keepRunning() {
    const lastEnd = await supervise({
      start,
      pauseMsBefore: (restart) => pausesMs[restart],
      onRestart: ({ reason, restarts, pauseMs }) =>
        log.error({ pauseMs, startsInRow: restarts + 1 }, `${reason}\nPostgreSQL is started again.`),
      signal: stopping.signal,
    })
    if (lastEnd !== undefined) {
      const { reason, restarts } = lastEnd
      givenUp.resolve(`PostgreSQL was started ${restarts} times in a row, to no avail. ${reason}`)
    }
    await address?.remove()
  }

  const supervision = keepRunning()
  return {
    connection: first.connection,
    ended: givenUp.promise,
    stop() {
      stopping.abort()
      return supervision
    },
  }
}
