import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Logger as GraphileLogger, runOnce } from 'graphile-worker'
import type { Pool } from 'pg'
import type { PasswordCost } from '../src/accounts/password-hasher.ts'
import type { FirstAccountPolicy } from '../src/accounts/set-up.ts'
import { createApp } from '../src/app.ts'
import type { Mail, Mailer } from '../src/email/mail.ts'
import { sendMailJob } from '../src/email/mail-job.ts'
import { deliveryJob } from '../src/meetings/guest-mail-queue.ts'
import type { Metrics } from '../src/metrics/metrics.ts'
import type { FetchDocument } from '../src/oauth-apps/agent-clients/fetch-document.ts'
import type { PageChecks } from '../src/oauth-apps/page-checks.ts'
import { type Clock, systemClock } from '../src/platform/clock.ts'
import { type Config, readConfig, sessionSettingsOf } from '../src/platform/config/config.ts'
import { createDatabase, createPool, type Database } from '../src/platform/database/database.ts'
import { createEncryption, type Encryption } from '../src/platform/encryption.ts'
import { startJobs, type TaskOfJob } from '../src/platform/jobs/jobs.ts'
import { createLog } from '../src/platform/log.ts'
import type { Tracing } from '../src/platform/operation.ts'
import type { GuardedFetch } from '../src/platform/outbound/guarded-fetch.ts'
import { secureRandom } from '../src/platform/random.ts'
import type { MediaAccess } from '../src/rooms/engine/media-access.ts'
import type { MediaEngine } from '../src/rooms/engine/media-engine.ts'
import type { PresenceTimes } from '../src/rooms/presence.ts'
import type { WebBuild } from '../src/web-app/web-app.ts'
import { createTestDatabase, type TestDatabase } from './postgres/test-database.ts'

/** The address in links and the origin of pages; requests go to `base`, where the app listens. */
export const publicAddress = 'http://parley.test'

export type TestApp = {
  base: string
  config: Config
  database: Database
  /** With `media: 'engine'`. */
  engine: MediaEngine | undefined
  pool: Pool
  /** For a test that runs jobs itself. */
  taskList: Record<string, TaskOfJob>
  encryption: Encryption
  /** The settings that another instance of the same service shares. */
  shared: Shared
  /** Every line logged so far. */
  logged: string[]
  /** With `AUDIT_LOG: 'stdout'`: the lines that this instance has written. */
  auditLines: string[]
  /** Publish all events that are committed, as a running service does five times a second. */
  publishEvents(): Promise<void>
  /** Deliver events to webhooks. */
  webhooks: ReturnType<typeof createApp>['webhookLoop']
  /** Write the refusals of apps into their event logs now, which happens a moment later otherwise. */
  writeRefusals(): Promise<void>
  /** Take a mail to REPLY_ADDRESS, as the mail server hands it over. */
  receiveMail: ReturnType<typeof createApp>['receiveMail']
  /** Begin the shutdown: `/readyz` refuses, and each reply closes its connection. */
  drain(): void
  /** Stop this instance before the test ends. */
  close(): Promise<void>
  /**
   * Run every waiting job, and return the emails sent since the last call. Changes that are gathered into one email, or
   * can be undone, are sent as if the waiting time had passed; with `gathering` they wait.
   */
  mails(options?: { gathering?: boolean }): Promise<Mail[]>
}

type Shared = {
  secretKey: Buffer
  testDatabase: TestDatabase
  /** Functions that stop the other instances; these stop first. */
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

/** Page checks are off, because tests request no external pages. */
const checkNothing: PageChecks = async () => ({ checks: [] })
const fetchNoDocument: FetchDocument = async () => ({ kind: 'refused', cause: 'Tests fetch no documents.' })

/** The lowest that Argon2id takes. */
const lowPasswordCost: PasswordCost = { memory: 8, passes: 1, parallelism: 1 }

/** Start the whole app on its own database. It stops with the test that called this, or with the file. */
export async function startApp({
  environment = {},
  clock = systemClock,
  checkPages = checkNothing,
  fetchDocument = fetchNoDocument,
  emails = 'watched',
  mailer: ownMailer,
  outreach = 'full',
  site,
  firstAccountPolicy = 'anyone',
  media,
  checkEveryMs = 1_000,
  metrics,
  tracing,
  presenceTimes = { recordEveryMs: 1_000, goneAfterMs: 10_000 },
  passwordCost = lowPasswordCost,
  pushFetch,
  jobs: runsJobs = false,
  beside,
  port: listensOn = 0,
}: {
  environment?: Record<string, string>
  clock?: Clock
  checkPages?: PageChecks
  /** Fetches client ID metadata documents; absent: none can be fetched. */
  fetchDocument?: FetchDocument
  /** `dropped` discards outgoing emails, for tests of meetings or apps that do not look at them. */
  emails?: 'watched' | 'dropped'
  /** Replaces the mailer that accepts every email; `mails` then returns none. */
  mailer?: Mailer
  /**
   * `full`: people are told that emails leave and that links open anywhere, although tests collect the emails and some
   * have a local address. `none`: people are told what `environment` says, as by a service that was just installed.
   */
  outreach?: 'full' | 'none'
  /** The built pages, for tests of pages. */
  site?: WebBuild
  /** `anyone` lets a test sign people up at once; `protected` requires the set-up code, as in production. */
  firstAccountPolicy?: FirstAccountPolicy
  /** `engine` starts the media engine, as in production; absent: there is neither audio nor video. */
  media?: 'engine' | MediaAccess
  /** Run jobs as they are queued, except emails; otherwise jobs run when a test reads the emails. */
  jobs?: boolean
  /** How often streams check without a notification; rarely, where a test shows that a change is published. */
  checkEveryMs?: number
  /** Collects the metrics for a test. */
  metrics?: Metrics
  /** Collects the spans for a test. */
  tracing?: Tracing
  /** Presence is recorded often, so that tests need not wait for it. */
  presenceTimes?: PresenceTimes
  /** Passwords are hashed cheaply, so that tests may sign many people up. */
  passwordCost?: PasswordCost
  /** Reaches the push service of a test. */
  pushFetch?: GuardedFetch
  /** Another instance, whose database this one shares. */
  beside?: TestApp
  /** A free port when absent. */
  port?: number
} = {}): Promise<TestApp> {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-app-'))
  const read = readConfig({
    BASE_URL: publicAddress,
    DATA_DIR: dataDir,
    LOG_LEVEL: 'debug',
    MEDIA_UDP_PORT: '0',
    ...environment,
  })
  if (read.kind === 'refused') throw new Error(read.problems.join(' '))
  // Receivers of all webhooks are on this machine, as where BASE_URL is.
  const config = {
    ...read.config,
    ...('LOCAL_RECEIVERS' in environment && { localReceivers: true }),
    ...(outreach === 'full' && { mailIsSent: true, linksAreLocal: false }),
  }

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
  const pool = createPool({
    connection,
    maxConnections: 8,
    statementTimeoutMs: 10_000,
    log,
    sessionSettings: sessionSettingsOf(config),
  })
  const auditLines: string[] = []
  const delivered: Mail[] = []
  const mailer = ownMailer ?? { deliver: async (mail: Mail) => void delivered.push(mail), close() {} }
  const { secretKey } = shared
  const world = { config, secretKey, pool, clock, random: secureRandom, log, mailer, version: 'test' }
  const app = createApp({
    ...world,
    checkPages,
    fetchDocument,
    firstAccountPolicy,
    writeAuditLine: (line) => void auditLines.push(line),
    ...(site && { site }),
    ...(media && { media }),
    checkEveryMs,
    presenceTimes,
    passwordCost,
    ...(pushFetch && { pushFetch }),
    ...(metrics && { metrics }),
    ...(tracing && { tracing }),
  })
  await app.http.listen({ port: listensOn, host: '127.0.0.1' })
  const { port } = app.http.server.address() as AddressInfo
  const { tasks, minutely, atStart } = app
  const jobs = runsJobs ? await startJobs({ pool, tasks, minutely, atStart, log, concurrency: 2 }) : undefined

  // A pool apart from the app's, because two clients that name statements must not share a connection.
  const own = createPool({
    connection,
    maxConnections: 4,
    statementTimeoutMs: 10_000,
    log,
    sessionSettings: sessionSettingsOf(config),
  })
  const database = createDatabase(own)
  const taskList = { ...app.tasks, ...app.mailTasks, ...app.pushTasks }
  async function mails({ gathering = false } = {}) {
    if (!gathering) await endGathering(own)
    // Finding out that there is nothing to do takes graphile-worker a dozen statements.
    const { rowCount } = await own.query('select from graphile_worker._private_jobs limit 1')
    if (rowCount === 0) return delivered.splice(0)
    await runOnce({
      pgPool: own,
      taskList,
      logger: new GraphileLogger(() => () => {}),
    })
    await untilReleased(own)
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
      if (emails === 'dropped') await dropEmails(own)
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
    taskList,
    encryption: createEncryption(secretKey),
    shared,
    logged,
    auditLines,
    publishEvents: app.publishEvents,
    webhooks: app.webhookLoop,
    receiveMail: app.receiveMail,
    writeRefusals: app.writeRefusals,
    drain: app.drain,
    close,
    mails,
  }
}

const createShared = async (): Promise<Shared> => ({
  secretKey: secureRandom.bytes(32),
  testDatabase: await createTestDatabase(),
  endings: [],
})

/** graphile-worker records the outcome of the last jobs asynchronously. */
async function untilReleased(pool: Pool) {
  const running = `select from graphile_worker.jobs where locked_by like 'otpool-%'`
  while (((await pool.query(running)).rowCount ?? 0) > 0) await sleep(2)
}

/** Make gathered changes due now, and disregard the emails before them. */
async function endGathering(pool: Pool) {
  await pool.query(
    `with gathered as (
       update guest_delivery set last_mail_at = null, wait_until = null
       where last_mail_at is not null or wait_until is not null
     )
     update graphile_worker._private_jobs set run_at = now() where attempts = 0 and run_at > now() and task_id =
      (select id from graphile_worker._private_tasks where identifier = $1)`,
    [deliveryJob.name],
  )
}

const dropEmails = (pool: Pool) =>
  pool.query(
    `select graphile_worker.complete_jobs(array_agg(id)) from graphile_worker.jobs where task_identifier = any ($1)`,
    [[deliveryJob.name, sendMailJob.name]],
  )

/** The secret in an email's link. */
export const tokenIn = (mail: Mail | undefined): string =>
  /#(?:token|invitation)=(\w+)/.exec(mail?.text ?? '')?.[1] ?? ''

/** The logged lines that alert an operator. */
export const errorsIn = (logged: readonly string[]): string[] =>
  logged.filter((line) => ['error', 'fatal'].includes(JSON.parse(line).level))
