import { readFile } from 'node:fs/promises'
import { isIPv6 } from 'node:net'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { createApp } from './app.ts'
import { createMailer } from './email/mail.ts'
import { serveInboundMail } from './invitations/replies/serve-inbound-mail.ts'
import { createMetrics, serveMetrics } from './metrics/metrics.ts'
import type { Clock } from './platform/clock.ts'
import { type Config, sessionSettingsOf, warningsOf } from './platform/config/config.ts'
import { readOrMakeSecretKey } from './platform/config/secret-key.ts'
import { claimDataFolder } from './platform/data-folder.ts'
import { findReplicationWarnings, requireUsableServer } from './platform/database/check-server.ts'
import { createPool } from './platform/database/database.ts'
import { connectionTo } from './platform/database/database-address.ts'
import { explainDatabaseRefusal, readDatabaseFailure } from './platform/database/database-failure.ts'
import { migrate } from './platform/database/migrate.ts'
import { descriptorWarning, readDescriptorLimit, watchDescriptors } from './platform/file-descriptors.ts'
import { listen, prepareGentleClose } from './platform/http/listen.ts'
import { startJobs } from './platform/jobs/jobs.ts'
import { hasOtherInstances } from './platform/jobs/orphaned-jobs.ts'
import type { Tracing } from './platform/operation.ts'
import { startSupervisedPostgres } from './platform/postgres/embedded-postgres.ts'
import type { Random } from './platform/random.ts'
import type { startTracing } from './platform/start-tracing.ts'
import { findFirstUdpPort, otherUdpPort, requireFreeUdpPort } from './platform/udp-port.ts'
import { withTimeout } from './platform/with-timeout.ts'
import { readWebBuild } from './web-app/web-app.ts'

/** PostgreSQL cuts what is longer. */
const maxApplicationName = 63

/** Enough to keep two cores busy; each connection costs PostgreSQL a process. */
const maxDatabaseConnections = 16

/** Each job that runs takes a connection from the requests. */
const jobConcurrency = 2

/** Jobs that send mails. A mail server that hangs delays these, and no other jobs. */
const mailConcurrency = 3

/** Jobs that push notifications, to any address that a person names. An address that hangs delays these alone. */
const pushConcurrency = 3

/** Every statement of a request takes milliseconds; one that takes seconds holds up the rest. */
const statementTimeoutMs = 4_000

/** The time for requests in progress when the service stops (docs/maintenance.md, "Health and shutdown"). */
const closeLimitMs = 10_000

/** Closing an idle connection takes about 1 ms; longer means the database hangs. */
const poolEndLimitMs = 2_000

type RunningService = {
  /** The address of the service, as a person would type it. */
  address: string
  /** The address that accepts mail to REPLY_ADDRESS; undefined without one. */
  inboundMail: string | undefined
  /** The set-up code, required to create the first account. Undefined once an account exists. */
  setUpCode: string | undefined
  /** Resolves with a sentence when the service cannot continue. */
  failed: Promise<string>
  /** Finish the requests in progress, accept no new ones, and end. */
  stop(): Promise<void>
}

type StartTracing = typeof startTracing
type Parts = { config: Config; clock: Clock; random: Random; log: Logger }

/**
 * Start the parts of the service in order. On a failure, stop the started ones.
 * @throws StartProblem with a sentence for the operator
 */
export async function startService({ config, clock, random, log }: Parts): Promise<RunningService> {
  for (const warning of warningsOf(config)) log.warn(warning)
  const descriptors = descriptorWarning(readDescriptorLimit())
  if (descriptors !== undefined) log.warn(descriptors)
  const started = new AsyncDisposableStack()
  try {
    const watch = watchDescriptors(log)
    started.defer(() => watch.stop())
    const { connection, ended } = await startDatabase(config, log, started)
    // The media engine starts with the first call, which is too late to learn that its port is taken.
    if (config.livekit === undefined) await examineUdpPort(config, log)
    const secretKey = config.secretKey ?? (await readOrMakeSecretKey(config.dataDir, random))
    const instance = `parley ${hostname()} ${process.pid}`.slice(0, maxApplicationName)
    const pool = createPool({
      connection: { application_name: instance, ...connection },
      maxConnections: maxDatabaseConnections,
      statementTimeoutMs,
      sessionSettings: sessionSettingsOf(config),
      log,
    })
    // A database that no longer responds would never end its connections.
    started.defer(async () => void (await withTimeout(poolEndLimitMs, () => pool.end())))
    await requireUsableServer(pool).catch(explainDatabaseRefusal)
    for (const warning of await findReplicationWarnings(pool).catch(explainDatabaseRefusal)) log.warn(warning)
    await migrate(pool, fileURLToPath(new URL('../migrations/', import.meta.url)), log).catch(explainDatabaseRefusal)

    const mailer = createMailer({ ...config, log })
    started.defer(async () => mailer.close())
    const site = await readWebBuild(fileURLToPath(new URL('../../web/dist/', import.meta.url)))
    if (site === undefined) log.warn('There are no pages, because they are not built: npm start builds them')
    const parts = { config, secretKey, pool, clock, random, log, mailer, version: await readVersion() }
    const metrics = config.metrics && createMetrics(parts)
    const tracing = config.tracing && (await loadTracing(config.tracing, { ...parts, instance }))
    started.defer(async () => tracing?.stop())
    const app = createApp({
      ...parts,
      ...(metrics && { metrics }),
      ...(tracing && { tracing }),
      firstAccountPolicy: 'protected',
      media: 'engine',
      ...(site && { site }),
    })
    started.defer(() => app.close())
    if (config.databaseUrl !== undefined && config.livekit === undefined && (await hasOtherInstances(pool))) {
      log.warn(
        'Another instance of Parley uses this database. Without LIVEKIT_URL one of them carries the calls of all: keep ' +
          'both on one machine, or configure LIVEKIT_URL.',
      )
    }
    const { tasks, mailTasks, pushTasks, hourly, minutely, atStart } = app
    const jobs = await startJobs({ pool, tasks, hourly, minutely, atStart, log, concurrency: jobConcurrency })
    started.defer(() => jobs.stop())
    const mailJobs = await startJobs({ pool, tasks: mailTasks, log, concurrency: mailConcurrency })
    started.defer(() => mailJobs.stop())
    const pushJobs = await startJobs({ pool, tasks: pushTasks, log, concurrency: pushConcurrency })
    started.defer(() => pushJobs.stop())
    const events = app.startEvents()
    started.defer(() => events.stop())
    const closeGently = prepareGentleClose(app.http)
    if (config.metrics && metrics) {
      const served = await serveMetrics(metrics, { ...config.metrics, log })
      started.defer(() => served.stop())
      log.info({ host: config.metrics.host, port: served.port }, 'metrics are served at /metrics')
    }

    const inbound =
      config.inboundMail && (await serveInboundMail({ ...config.inboundMail, receive: app.receiveMail, log }))
    started.defer(async () => inbound?.stop())

    const setUpCode = await app.setUpCode()
    // Last, and nothing is awaited after it: as soon as requests are answered, signals are taken (main.ts).
    const port = await listen(app.http, config)

    return {
      address: `http://${asTyped(config.host)}:${port}`,
      inboundMail: config.inboundMail && inbound && `lmtp://${asTyped(config.inboundMail.host)}:${inbound.port}`,
      setUpCode,
      failed: ended,
      async stop() {
        log.info('The service is stopping: requests in progress are finished, and no new ones are accepted')
        app.drain()
        await sleep(config.drainSeconds * 1_000)
        await app.endCalls()
        await closeGently(closeLimitMs)
        await started.disposeAsync()
        log.info('The service has stopped')
      },
    }
  } catch (error) {
    await started.disposeAsync()
    if (readDatabaseFailure(error) !== undefined) explainDatabaseRefusal(error)
    throw error
  }
}

/** The operator's own PostgreSQL, or the private one in the data folder; from here on both are the same. */
async function startDatabase(config: Config, log: Logger, started: AsyncDisposableStack) {
  if (config.databaseUrl !== undefined) {
    const connection = connectionTo(config.databaseUrl)
    return { connection, ended: new Promise<string>(() => {}) }
  }
  const folder = await claimDataFolder(config.dataDir)
  started.defer(() => folder.release())
  const postgres = await startSupervisedPostgres({ dataDir: folder.path, log })
  started.defer(() => postgres.stop())
  return { connection: postgres.connection, ended: postgres.ended }
}

/** @throws StartProblem when the port for media cannot be used */
async function examineUdpPort({ mediaUdpPort: port, lastMediaUdpPort: lastPort }: Config, log: Logger): Promise<void> {
  if (lastPort === undefined) return requireFreeUdpPort(port)
  const found = await findFirstUdpPort({ port, lastPort })
  if (found !== port) log.warn(otherUdpPort(port, found))
}

/** OpenTelemetry's packages take about 40 MB: they are loaded where they are used. */
async function loadTracing(...parameters: Parameters<StartTracing>): Promise<Tracing> {
  const { startTracing } = await import('./platform/start-tracing.ts')
  return startTracing(...parameters)
}

/** Brackets keep the colons of an IPv6 address apart from the port's (RFC 3986, 3.2.2). */
function asTyped(host: string): string {
  if (host === '127.0.0.1') return 'localhost'
  return isIPv6(host) ? `[${host}]` : host
}

async function readVersion(): Promise<string> {
  const file = join(import.meta.dirname, '../package.json')
  return JSON.parse(await readFile(file, 'utf8')).version
}
