import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'
import { defineStatement } from '../../platform/database/define-statement.ts'
import { pick, tables } from '../../platform/database/tables.ts'
import { problem } from '../../platform/http/problem.ts'
import type { EmbeddedMedia } from './embedded-media.ts'

/** The advisory lock of the instance whose engine carries the calls; PostgreSQL releases it when the process ends. */
const lockStatement = defineStatement({
  name: 'lock-engine',
  parameters: {},
  columns: { taken: 'boolean' },
  text: () => sql`select pg_try_advisory_lock(727541, 1) as taken`,
})

const isLockedStatement = defineStatement({
  name: 'is-engine-locked',
  parameters: {},
  columns: { locked: 'boolean' },
  text: () => sql`select exists (
    select from pg_locks where locktype = 'advisory' and classid = 727541 and granted
      and database = (select oid from pg_database where datname = current_database())) as locked`,
})

const readStatement = defineStatement({
  name: 'find-engine',
  parameters: {},
  columns: pick(tables.mediaEngine, 'address', 'machine'),
  text: () => sql`select address, machine from media_engine`,
})

const writeStatement = defineStatement({
  name: 'write-engine',
  parameters: pick(tables.mediaEngine, 'address', 'machine'),
  text: (p) => sql`insert into media_engine (address, machine) values (${p.address}, ${p.machine})
    on conflict (singleton) do update set address = excluded.address, machine = excluded.machine`,
})

/** How long the address of another instance's engine is cached. */
const cacheMs = 1_000
/**
 * An engine starts in about half a second; its instance stores the address then. People who come meanwhile wait for it.
 */
const startingMs = 2_000
const addressPollMs = 100
/** An instance that lost its connection takes the lock again within this time; other instances wait as long. */
const reconnectMs = 3_000
const retryMs = 250
/** After this time the lock belongs to another instance, rather than to our own lost connection. */
const lostAfterMs = 10_000

type SharedEngineOptions = {
  pool: Pool
  log: Logger
  /** The id of this machine: engines are reached over 127.0.0.1, by instances of the same machine. */
  machine: () => Promise<string>
  /** Create an engine without starting it. `onAddress` is called with the address of its API each time it starts. */
  createEngine(onAddress: (address: string) => void): EmbeddedMedia
}

type OwnEngine = { engine: EmbeddedMedia; client: PoolClient }

/**
 * One embedded engine for several instances (docs/decisions/0012): the first instance that needs one carries all calls.
 * The others forward browsers and host controls to it if they run on the same machine, and refuse calls with an
 * explanation if they do not. When that instance ends, the next one that needs an engine takes over.
 */
export function createSharedEngine({ pool, log, machine, createEngine }: SharedEngineOptions): EmbeddedMedia {
  const stopping = new AbortController()
  let own: OwnEngine | undefined
  let acquiring: Promise<OwnEngine | undefined> | undefined
  let otherAddress: Promise<string> | undefined
  let isWarned = false
  // All instances derive the same URL and keys.
  const { url, apiKey, apiSecret } = createEngine(() => {})

  async function acquire(): Promise<OwnEngine | undefined> {
    let client = await takeLock()
    if (client === undefined) return undefined
    if ((await readRow()).address !== '') {
      // The address was not cleared: its instance has died, or is reconnecting.
      client.release(true)
      await sleep(reconnectMs, undefined, { signal: stopping.signal }).catch(() => {})
      client = await takeLock()
      if (client === undefined) return undefined
    }
    const engine = createEngine((address) => void writeRow(address).catch(logFailure))
    const acquired = { engine, client }
    own = acquired
    log.info('this instance carries the calls')
    watchConnection(acquired)
    return acquired
  }

  async function takeLock(): Promise<PoolClient | undefined> {
    if (stopping.signal.aborted) return undefined
    const client = await pool.connect()
    try {
      const [lock] = await lockStatement.executeOn(client, {})
      if (lock?.taken) return client
      client.release()
      return undefined
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  const readRow = async () => {
    const [row] = await readStatement.executeOn(pool, {})
    return row ?? { address: '', machine: '' }
  }

  async function writeRow(address: string) {
    await writeStatement.executeOn(pool, { address, machine: await machine() })
  }

  const logFailure = (error: unknown) => log.warn({ err: error }, 'could not store the address of the media engine')

  function watchConnection(owned: OwnEngine) {
    const onEnd = () => {
      if (stopping.signal.aborted) return
      owned.client.release(true)
      void reacquire(owned)
    }
    owned.client.once('end', onEnd)
  }

  /**
   * Take the lock again after the database was away. Calls continue meanwhile, unless another instance has taken over.
   */
  async function reacquire(owned: OwnEngine) {
    for (let refusedMs = 0; refusedMs < lostAfterMs; ) {
      const client = await takeLock().catch(() => 'away' as const)
      if (stopping.signal.aborted) return
      if (client === undefined) refusedMs += retryMs
      else if (client !== 'away') {
        owned.client = client
        watchConnection(owned)
        return
      }
      await sleep(retryMs, undefined, { signal: stopping.signal }).catch(() => {})
    }
    log.error('another instance has begun to carry the calls; those of this instance are ended')
    own = undefined
    await owned.engine.stop()
  }

  /** @throws media_unavailable */
  async function findOtherAddress(): Promise<string> {
    let row = await readRow()
    for (let waitedMs = 0; row.address === '' && waitedMs < startingMs; waitedMs += addressPollMs) {
      await sleep(addressPollMs)
      row = await readRow()
    }
    if (row.address === '') throw problem('media_unavailable', { retryAfterSeconds: 2 })
    if (row.machine === (await machine())) return row.address
    if (!isWarned) log.warn(oneMachineOnly)
    isWarned = true
    throw problem('media_unavailable', { detail: oneMachineOnly, retryAfterSeconds: 5 })
  }

  async function ownEngine(): Promise<EmbeddedMedia | undefined> {
    if (own !== undefined) return own.engine
    if (otherAddress !== undefined) return undefined
    acquiring ??= acquire().finally(() => {
      acquiring = undefined
    })
    return (await acquiring)?.engine
  }

  return {
    url,
    apiKey,
    apiSecret,
    async apiAddress() {
      const engine = await ownEngine()
      if (engine !== undefined) return engine.apiAddress()
      if (otherAddress === undefined) {
        otherAddress = findOtherAddress()
        otherAddress.catch(() => {})
        setTimeout(() => {
          otherAddress = undefined
        }, cacheMs).unref()
      }
      return otherAddress
    },
    async status() {
      if (own !== undefined) return own.engine.status()
      const [lock] = await isLockedStatement.executeOn(pool, {})
      const row = await readRow()
      if (!lock?.locked || row.address === '') return 'none'
      return row.machine === (await machine()) ? 'reachable' : 'out of reach'
    },
    async stop() {
      stopping.abort()
      await acquiring?.catch(() => {})
      if (own === undefined) return
      await own.engine.stop()
      await writeRow('').catch(logFailure)
      own.client.release(true)
      own = undefined
    },
  }
}

/** The sentence in the answer and in the log. */
const oneMachineOnly =
  'Calls are carried by an instance of Parley on another machine. The embedded media engine serves one machine: ' +
  'configure LIVEKIT_URL to have several machines carry calls.'
