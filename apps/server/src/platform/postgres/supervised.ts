import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts'
import type { SocketFolder } from './socket-folder.ts'

/**
 * The pauses before consecutive restarts. A single kill recovers with the first; a full disk or a damaged file still
 * fails after the last.
 */
const pausesMs = [100, 500, 1_000, 2_000, 4_000]
/** A server that ran this long had recovered: its end begins a new series of restarts. */
const steadyMs = 60_000

export type SupervisedPostgres = Omit<EmbeddedPostgres, 'halt'>

type Options = { dataDir: string; log: Logger }

/**
 * Run the private PostgreSQL and restart it at the same address when it ends unexpectedly, so that the pool reconnects
 * by itself. `ended` resolves with the last failure after several restarts in a row have failed.
 *
 * @throws StartProblem when the first start fails
 */
export async function startSupervisedPostgres(options: Options): Promise<SupervisedPostgres> {
  return supervise(await startEmbeddedPostgres(options), options)
}

function supervise(first: EmbeddedPostgres, options: Options): SupervisedPostgres {
  const stopping = new AbortController()
  const aborted = new Promise<undefined>((resolve) =>
    stopping.signal.addEventListener('abort', () => resolve(undefined)),
  )
  const givenUp = Promise.withResolvers<string>()
  let startsInRow = 0

  async function keepRunning() {
    let server: EmbeddedPostgres | undefined = first
    while (server !== undefined) {
      const startedAtMs = performance.now()
      const sentence: string | undefined = await Promise.race([server.ended, aborted])
      const address = await server.halt()
      if (sentence === undefined) return address.remove()
      if (performance.now() - startedAtMs > steadyMs) startsInRow = 0
      server = await startAgain(sentence, address)
    }
  }

  /** Returns undefined when it has been stopped meanwhile. */
  async function startAgain(sentence: string, address: SocketFolder): Promise<EmbeddedPostgres | undefined> {
    const pauseMs = pausesMs[startsInRow]
    if (pauseMs === undefined) {
      givenUp.resolve(`PostgreSQL was started ${startsInRow} times in a row, to no avail. ${sentence}`)
      await address.remove()
      return undefined
    }
    startsInRow += 1
    options.log.error({ pauseMs, startsInRow }, `${sentence}\nPostgreSQL is started again.`)
    await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
    if (stopping.signal.aborted) {
      await address.remove()
      return undefined
    }
    try {
      return await startEmbeddedPostgres({ ...options, address })
    } catch (error) {
      return startAgain(error instanceof Error ? error.message : String(error), address)
    }
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
