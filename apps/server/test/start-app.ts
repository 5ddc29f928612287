import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after } from 'node:test'
import { Logger as GraphileLogger, runOnce } from 'graphile-worker'
import type { Pool } from 'pg'
import type { Database, Tables } from '../migrations/tables.ts'
import { createApp } from '../src/app.ts'
import type { PageChecks } from '../src/apps/apps-service.ts'
import type { Mail, Mailer } from '../src/mail/mail.ts'
import { sendMailTask } from '../src/mail/mail-job.ts'
import { letterTask } from '../src/meetings/meeting-notice.ts'
import { type Clock, systemClock } from '../src/platform/clock.ts'
import { type Config, readConfig } from '../src/platform/config.ts'
import { createDatabase, createPool } from '../src/platform/database.ts'
import { startJobs } from '../src/platform/jobs.ts'
import { createLog } from '../src/platform/log.ts'
import { secureRandom } from '../src/platform/random.ts'
import { createSealedBox, type SealedBox } from '../src/platform/sealed-box.ts'
import type { MediaAccess } from '../src/rooms/media-access.ts'
import type { MediaEngine } from '../src/rooms/media-engine.ts'
import type { Site } from '../src/site/read-site.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

/** The address in links and the origin of pages; requests go to `base`, where the app really listens. */
export const publicAddress = 'http://parley.test'

export type TestApp = {
  base: string
  config: Config
  database: Database
  /** With `media: 'engine'`. */
  engine: MediaEngine | undefined
  pool: Pool
  sealedBox: SealedBox
  /** What another instance of the same service needs to have in common with this one. */
  shared: Shared
  /** Every line logged so far. */
  logged: string[]
  /** Ends this instance before the test does. */
  close(): Promise<void>
  /** Runs every job that waits, and hands out the mails that went out since it was last asked. */
  mails(): Promise<Mail[]>
}

type Shared = {
  secretKey: Buffer
  testDatabase: TestDatabase
  /** What ends the other instances; they end first. */
  endings: (() => Promise<void>)[]
}

export type SettableClock = Clock & { set(at: string | Date): void; advance(ms: number): void }

export function createClock(start: string): SettableClock {
  let at = new Date(start)
  return {
    now: () => new Date(at),
    set(to) {
      at = new Date(to)
    },
    advance(ms) {
      at = new Date(at.getTime() + ms)
    },
  }
}

/** No test looks at other people's pages. */
const checkNothing: PageChecks = async () => ({ checks: [] })

/** The whole app on a database of its own, listening. It ends with the test that called this, or with the file. */
export async function startApp({
  environment = {},
  clock = systemClock,
  checkPages = checkNothing,
  letters = 'watched',
  mailer: ownMailer,
  site,
  media,
  lookEveryMs,
  jobs: runsJobs = false,
  beside,
  port: listensOn = 0,
}: {
  environment?: Record<string, string>
  clock?: Clock
  checkPages?: PageChecks
  /** What people are mailed: `dropped` where meetings are scheduled, or apps reviewed, for what else there is to them. */
  letters?: 'watched' | 'dropped'
  /** In place of one that takes every mail; `mails` then answers none. */
  mailer?: Mailer
  /** The built pages, where a test looks at them. */
  site?: Site
  /** `engine`: as in earnest; absent: there is neither sound nor picture. */
  media?: 'engine' | MediaAccess
  /** Jobs run as they are queued, but for mails; otherwise a test has them run by asking for the mails. */
  jobs?: boolean
  /** Never, where a test wants to know that what happened was announced. */
  lookEveryMs?: number
  /** Another instance, on whose database this one is to run, too. */
  beside?: TestApp
  /** A free one when absent. */
  port?: number
} = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-app-'))
  const read = readConfig({ BASE_URL: publicAddress, DATA_DIR: dataDir, LOG_LEVEL: 'debug', ...environment })
  if (read.kind === 'refused') throw new Error(read.problems.join(' '))
  const { config } = read

  const logged: string[] = []
  const destination = new Writable({
    write(line, _encoding, done) {
      logged.push(String(line))
      done()
    },
  })
  const log = createLog({ level: config.logLevel, destination })
  const shared = beside?.shared ?? (await createShared())
  const { connection } = shared.testDatabase
  const pool = createPool({ connection, maxConnections: 8, statementTimeoutMs: 10_000, log })
  const delivered: Mail[] = []
  const mailer = ownMailer ?? { deliver: async (mail: Mail) => void delivered.push(mail), close() {} }
  const { secretKey } = shared
  const world = { config, secretKey, pool, clock, random: secureRandom, log, mailer, version: 'test' }
  const app = createApp({
    ...world,
    checkPages,
    ...(site && { site }),
    ...(media && { media }),
    ...(lookEveryMs && { lookEveryMs }),
  })
  await app.http.listen({ port: listensOn, host: '127.0.0.1' })
  const { port } = app.http.server.address() as AddressInfo
  const { tasks, minutely, atStart } = app
  const jobs = runsJobs ? await startJobs({ pool, tasks, minutely, atStart, log, concurrency: 2 }) : undefined

  // Apart from the app's, because two who name statements must not share a connection.
  const own = createPool({ connection, maxConnections: 4, statementTimeoutMs: 10_000, log })
  const database = createDatabase<Tables>(own)
  async function mails() {
    await runOnce({
      pgPool: own,
      taskList: { ...app.tasks, ...app.mailTasks },
      logger: new GraphileLogger(() => () => {}),
    })
    return delivered.splice(0)
  }

  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= app.close()
    return closed
  }
  const endOwn = async () => {
    await jobs?.stop()
    await close()
    await own.end()
    await pool.end()
    await rm(dataDir, { recursive: true, force: true })
  }
  if (beside !== undefined) beside.shared.endings.push(endOwn)
  else {
    after(async () => {
      for (const end of shared.endings) await end()
      if (letters === 'dropped') await dropLetters(own)
      const unread = await mails()
      await endOwn()
      await shared.testDatabase.drop()
      const subjects = unread.map(({ to, subject }) => `${subject} to ${to}`)
      assert.deepEqual(subjects, [], 'mails that no test has looked at')
    })
  }
  return {
    base: `http://127.0.0.1:${port}`,
    config,
    database,
    engine: app.engine,
    pool: own,
    sealedBox: createSealedBox(secretKey),
    shared,
    logged,
    close,
    mails,
  }
}

const createShared = async (): Promise<Shared> => ({
  secretKey: secureRandom.bytes(32),
  testDatabase: await createTestDatabase(),
  endings: [],
})

const dropLetters = (pool: Pool) =>
  pool.query(
    `select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs where task_identifier = any ($1)`,
    [[letterTask, sendMailTask]],
  )

/** The secret in the link of a mail. */
export const tokenIn = (mail: Mail | undefined): string =>
  /#(?:token|invitation)=(\w+)/.exec(mail?.text ?? '')?.[1] ?? ''
