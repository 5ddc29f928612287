import { setTimeout as sleep } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'
import { problem } from '../../platform/http/problem.ts'
import type { EmbeddedMedia } from './embedded-media.ts'

/** Held on one connection by the instance whose engine carries the calls; PostgreSQL ends it with the process. */
const engineLock = 'select pg_try_advisory_lock(727541, 1) as taken'
const isEngineLocked = `select exists (select from pg_locks where locktype = 'advisory' and classid = 727541 and granted
  and database = (select oid from pg_database where datname = current_database())) as locked`

/** What was found out of another instance's engine is used for so long. */
const rememberMs = 1_000
/** An instance whose connection broke takes the lock again within this; another one leaves it to it. */
const reconnectMs = 3_000
const retryMs = 250
/** The lock that another session holds for so long is not a remainder of ours. */
const lostAfterMs = 10_000

export type SharedEngineOptions = {
  pool: Pool
  log: Logger
  /** Engines are reached over 127.0.0.1, from instances of one machine. */
  machine: () => Promise<string>
  /** Starts nothing yet. `noteAddress` is told where its API is each time it comes up. */
  createEngine(noteAddress: (address: string) => void): EmbeddedMedia
}

type Held = { engine: EmbeddedMedia; client: PoolClient }

/**
 * The embedded engine of several instances: the first that needs one carries the calls of all. The others lead browsers
 * and hosts to it where they reach it, and refuse calls with a sentence where they do not. When its instance ends, the
 * next one that needs an engine takes over.
 */
export function createSharedEngine({ pool, log, machine, createEngine }: SharedEngineOptions): EmbeddedMedia {
  const stopping = new AbortController()
  let held: Held | undefined
  let holding: Promise<Held | undefined> | undefined
  let elsewhere: Promise<string> | undefined
  let isWarned = false
  // For its address and keys, which all instances derive alike.
  const { url, apiKey, apiSecret } = createEngine(() => {})

  async function hold(): Promise<Held | undefined> {
    let client = await takeLock()
    if (client === undefined) return undefined
    if ((await readRow()).address !== '') {
      // It was not ended in order: its instance has died, or is connecting again.
      client.release(true)
      await sleep(reconnectMs, undefined, { signal: stopping.signal }).catch(() => {})
      client = await takeLock()
      if (client === undefined) return undefined
    }
    const engine = createEngine((address) => void writeRow(address).catch(noteFailure))
    const taken = { engine, client }
    held = taken
    log.info('this instance carries the calls')
    watchConnection(taken)
    return taken
  }

  async function takeLock(): Promise<PoolClient | undefined> {
    if (stopping.signal.aborted) return undefined
    const client = await pool.connect()
    try {
      const { rows } = await client.query<{ taken: boolean }>(engineLock)
      if (rows[0]?.taken) return client
      client.release()
      return undefined
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  const readRow = async () => {
    const { rows } = await pool.query<{ address: string; machine: string }>('select address, machine from media_engine')
    return rows[0] ?? { address: '', machine: '' }
  }

  async function writeRow(address: string) {
    const values = [address, await machine()]
    await pool.query(
      `insert into media_engine (address, machine) values ($1, $2)
       on conflict (singleton) do update set address = excluded.address, machine = excluded.machine`,
      values,
    )
  }

  const noteFailure = (error: unknown) => log.warn({ err: error }, 'where the media engine runs could not be noted')

  function watchConnection(taken: Held) {
    const lost = () => {
      if (stopping.signal.aborted) return
      taken.client.release(true)
      void holdAgain(taken)
    }
    taken.client.once('end', lost)
  }

  /** A database that was away took the lock along. Calls go on meanwhile, unless another instance has begun its own. */
  async function holdAgain(taken: Held) {
    for (let refusedMs = 0; refusedMs < lostAfterMs; ) {
      const client = await takeLock().catch(() => 'away' as const)
      if (stopping.signal.aborted) return
      if (client === undefined) refusedMs += retryMs
      else if (client !== 'away') {
        taken.client = client
        watchConnection(taken)
        return
      }
      await sleep(retryMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
    log.error('another instance has begun to carry the calls; those of this instance are ended')
    held = undefined
    await taken.engine.stop()
  }

  /** @throws media_unavailable */
  async function findElsewhere(): Promise<string> {
    const row = await readRow()
    if (row.address === '') throw problem('media_unavailable', { headers: { 'retry-after': '2' } })
    if (row.machine === (await machine())) return row.address
    if (!isWarned) log.warn(oneMachineOnly)
    isWarned = true
    throw problem('media_unavailable', { detail: oneMachineOnly, headers: { 'retry-after': '5' } })
  }

  async function ownEngine(): Promise<EmbeddedMedia | undefined> {
    if (held !== undefined) return held.engine
    if (elsewhere !== undefined) return undefined
    holding ??= hold().finally(() => {
      holding = undefined
    })
    return (await holding)?.engine
  }

  return {
    ...{ url, apiKey, apiSecret },
    async apiAddress() {
      const own = await ownEngine()
      if (own !== undefined) return own.apiAddress()
      if (elsewhere === undefined) {
        elsewhere = findElsewhere()
        elsewhere.catch(() => {})
        setTimeout(() => {
          elsewhere = undefined
        }, rememberMs).unref()
      }
      return elsewhere
    },
    async place() {
      if (held !== undefined) return held.engine.place()
      const { rows } = await pool.query<{ locked: boolean }>(isEngineLocked)
      const row = await readRow()
      if (!rows[0]?.locked || row.address === '') return 'none'
      return row.machine === (await machine()) ? 'reachable' : 'out of reach'
    },
    async stop() {
      stopping.abort()
      await holding?.catch(() => {})
      if (held === undefined) return
      await held.engine.stop()
      await writeRow('').catch(noteFailure)
      held.client.release(true)
      held = undefined
    },
  }
}

/** For people, in the answer and in the log. */
const oneMachineOnly =
  'Calls are carried by an instance of Parley on another machine. The embedded media engine serves one machine: ' +
  'configure LIVEKIT_URL to have several machines carry calls.'
