import { endpoints } from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { createAuthenticate } from './access/authenticate.ts'
import { createGuestCookie } from './access/credentials/guest-cookie.ts'
import { createLastUse } from './access/credentials/last-use.ts'
import { createAnswerOnce, deleteOldAnswers } from './access/idempotency.ts'
import { createIsLocalRequest } from './access/local-request.ts'
import { createServe } from './access/serve.ts'
import type { Service } from './access/service.ts'
import { createStreams } from './access/streams.ts'
import { createEraseAccountsTask, eraseAccountsTask } from './account-data/erase-accounts-job.ts'
import { registerAccountDataRoutes } from './account-data/routes.ts'
import { createAccountsService } from './accounts/accounts-service.ts'
import { createAuditLineTask } from './accounts/audit-log/write-audit-line.ts'
import { deleteExpired } from './accounts/email-links/delete-expired.ts'
import { createLinkMailTask, linkMailTask } from './accounts/email-links/link-mail-job.ts'
import { registerAccountRoutes } from './accounts/routes.ts'
import type { FirstAccountPolicy } from './accounts/set-up/first-account.ts'
import { serveProblemPages } from './docs/problem-pages.ts'
import { serveDocs } from './docs/serve-docs.ts'
import type { Mailer } from './email/mail.ts'
import { createSendMailTask, sendMailTask } from './email/mail-job.ts'
import { deleteOldMails } from './invitations/delivery/delete-old-mails.ts'
import { createDeliveryTask } from './invitations/delivery/deliver-to-guest.ts'
import { createFormerEmailTask, formerEmailTask } from './invitations/delivery/former-emails.ts'
import { createRemindTask, remindTask } from './invitations/remind.ts'
import { serveReminderStop } from './invitations/reminder-stop/serve-reminder-stop.ts'
import { registerInvitationRoutes } from './invitations/routes.ts'
import { serveAnswers } from './invitations/serve-answers.ts'
import { deliveryTask } from './meetings/guest-delivery.ts'
import { registerMeetingRoutes } from './meetings/routes.ts'
import { bindSecretsTask, createBindSecretsTask } from './meetings/secrets/bind-meeting-secrets.ts'
import { createRenewHostSecrets } from './meetings/secrets/renew-host-secrets.ts'
import type { Metrics } from './metrics/create-metrics.ts'
import { observeDatabase } from './metrics/observe-database.ts'
import { observeQueuedJobs, observeTasks } from './metrics/observe-jobs.ts'
import { observeMailer } from './metrics/observe-mailer.ts'
import { observeRequests } from './metrics/observe-requests.ts'
import { observeRooms } from './metrics/observe-rooms.ts'
import { deleteOldRequests } from './oauth/authorize/authorization-request-store.ts'
import { servePages } from './oauth/authorize/serve-pages.ts'
import { createApiRefusalLog } from './oauth/grants/api-refusal-log.ts'
import { deleteExpiredTokens } from './oauth/grants/delete-expired.ts'
import { endGrantsOfAccount } from './oauth/grants/end-grants-of-account.ts'
import { serveTokens } from './oauth/grants/serve-tokens.ts'
import { createFindAppExamples } from './oauth-apps/app-examples.ts'
import { createAppsService } from './oauth-apps/apps-service.ts'
import { deleteRemovedTesters } from './oauth-apps/credentials/tester-store.ts'
import { deleteOldAppEvents } from './oauth-apps/events/delete-old-app-events.ts'
import type { PageChecks } from './oauth-apps/page-checks/page-checks.ts'
import { refreshNameKeys, refreshNameKeysTask } from './oauth-apps/registration/refresh-name-keys.ts'
import { registerAppRoutes } from './oauth-apps/routes.ts'
import type { Clock } from './platform/clock.ts'
import type { Config } from './platform/config/config.ts'
import { createDatabase } from './platform/database/database.ts'
import { createDatabaseFailureLog } from './platform/database/database-failure-log.ts'
import { createTopicSubscriptions } from './platform/database/topic-subscriptions.ts'
import { createEncryption } from './platform/encryption.ts'
import { createHttp, refuseOtherMethods } from './platform/http/http.ts'
import type { TaskOfJob } from './platform/jobs/jobs.ts'
import { runInOperations } from './platform/jobs/run-in-operation.ts'
import type { Random } from './platform/random.ts'
import type { Tracing } from './platform/trace.ts'
import { deleteOldAdmissions } from './rooms/admission/admission-store.ts'
import { createDetachAdmissions } from './rooms/admission/detach-admissions.ts'
import { deleteOldHistory } from './rooms/attendance/delete-old-history.ts'
import { type MediaEngine, mediaUrlOf } from './rooms/engine/media-engine.ts'
import { isMediaUpgrade } from './rooms/engine/media-proxy.ts'
import { serveMedia } from './rooms/engine/serve-media.ts'
import type { MediaAccess } from './rooms/media-access.ts'
import { createPresence, type PresenceTimes } from './rooms/presence.ts'
import { createRoomReads } from './rooms/room-reads.ts'
import type { RoomsService } from './rooms/rooms-service.ts'
import { registerRoomRoutes } from './rooms/routes.ts'
import { serveIcon } from './service-info/icon.ts'
import { serveListTimeZones } from './service-info/list-time-zones.ts'
import { serveOpenapi } from './service-info/openapi.ts'
import { serveReadDatabaseHealth } from './service-info/read-database-health.ts'
import { serveReadHealth } from './service-info/read-health.ts'
import { serveReadProblem } from './service-info/read-problem.ts'
import { serveReadReadiness } from './service-info/read-readiness.ts'
import { serveReadVersion } from './service-info/read-version.ts'
import { serveReference } from './service-info/reference.ts'
import { serveProvider } from './sso/serve-provider.ts'
import { deleteOldSignIns } from './sso/sign-in-store.ts'
import type { Tables } from './tables/tables.ts'
import type { Site } from './web-app/read-site.ts'
import { createShowNotFound, serveSite } from './web-app/serve-site.ts'

const cleanUpTask = 'forget-expired'

export type World = {
  config: Config
  secretKey: Buffer
  pool: Pool
  clock: Clock
  random: Random
  log: Logger
  version: string
  /** Looks at the pages of a submitted app; the guarded fetch when absent. */
  checkPages?: PageChecks
  mailer: Mailer
  /** The built pages; absent where there are none, and the API is all there is. */
  site?: Site
  /** Who may make the first account, the administrator's. */
  firstAccountPolicy: FirstAccountPolicy
  /**
   * Where admitted people get the right to sound and pictures. `engine`: LiveKit or the embedded one, as it is configured;
   * absent: nowhere, and they are admitted all the same.
   */
  media?: 'engine' | MediaAccess
  /** How often streams look by themselves; every 15 to 30 s when absent. */
  lookEveryMs?: number
  /** What Prometheus is told; absent: nothing is counted. */
  metrics?: Metrics
  /** Takes the lines of the audit log; standard output when absent. */
  writeAuditLine?: (line: string) => void
  /** Where the spans of requests and jobs go; absent: nowhere. */
  tracing?: Tracing
  /** When it is noted who waits at a door; as usual when absent. */
  presenceTimes?: PresenceTimes
}

export type App = {
  http: FastifyInstance
  /** What carries sound and pictures; absent where nothing does. */
  engine: MediaEngine | undefined
  /** What the database queues and this process does. */
  tasks: Record<string, TaskOfJob>
  /** The same, for what waits for a mail server. */
  mailTasks: Record<string, TaskOfJob>
  /** Names of tasks that run each hour, and each minute. */
  hourly: readonly string[]
  minutely: readonly string[]
  /** The same, of tasks that run once when the service starts. */
  atStart: readonly string[]
  /** What the operator is shown while there is no account; undefined once there is one. */
  setUpCode(): Promise<string | undefined>
  /** From here on `/readyz` says no, every answer asks its connection to close, and streams have ended. */
  drain(): void
  /** Ends the calls that go through this process; who is in one connects again, elsewhere or later. */
  endCalls(): Promise<void>
  /** Lets what is under way finish, and ends what the app keeps going; the pool is its owner's to end. */
  close(): Promise<void>
}

/** Everything that Parley answers and does, listed. */
export function createApp(world: World): App {
  const { config, secretKey, pool, clock, random, log, version, checkPages, site, media, lookEveryMs } = world
  const { metrics, tracing } = world
  const { baseUrl, emailVerification, retention } = config
  let draining = false
  const databaseFailures = createDatabaseFailureLog(log)
  const http = createHttp({
    baseUrl,
    trustProxy: config.trustProxy,
    clock,
    random,
    log,
    databaseFailures,
    isStopping: () => draining,
    ...(tracing && { tracing }),
    ...(media === 'engine' && config.livekit === undefined && { isUpgrade: isMediaUpgrade }),
    ...(site && { showNotFound: createShowNotFound(site, { random, mediaUrl: mediaUrlOf(config) }) }),
  })
  http.addHook('onSend', (_request, reply, payload, next) => {
    if (draining) reply.header('connection', 'close')
    next(null, payload)
  })

  const mailer = metrics === undefined ? world.mailer : observeMailer(metrics, world.mailer)
  const database = createDatabase<Tables>(pool)
  const encryption = createEncryption(secretKey)
  const lastUse = createLastUse({ database, clock, log })
  const apiRefusalLog = createApiRefusalLog({ database, clock, random, log })
  const noteAppRefusal = apiRefusalLog.note
  const authenticate = createAuthenticate({
    ...{ database, clock, lastUse, baseUrl, emailVerification, noteAppRefusal },
  })
  const guestCookie = createGuestCookie({ baseUrl, random })
  const answerOnce = createAnswerOnce({ database, clock, encryption })
  const topicSubscriptions = createTopicSubscriptions({ pool, log })
  const streams = createStreams({
    topicSubscriptions,
    clock,
    random,
    log,
    databaseFailures,
    ...(lookEveryMs !== undefined && { lookEveryMs }),
  })
  const isLocalRequest = createIsLocalRequest(config)
  const serve = createServe({
    ...{ http, database, authenticate, answerOnce, streams, guestCookie, baseUrl, isLocalRequest, noteAppRefusal },
  })
  const service: Service = { serve, database, clock, random, encryption, config, databaseFailures }

  const { firstAccountPolicy } = world
  const accessEndings = [endGrantsOfAccount, createRenewHostSecrets(service), createDetachAdmissions(service)]
  const accounts = createAccountsService(service, { pool, firstAccountPolicy, isLocalRequest, accessEndings })
  registerAccountRoutes(accounts)
  registerAccountDataRoutes(accounts)

  registerMeetingRoutes(service)
  registerInvitationRoutes(service)

  const carried = media === 'engine' ? serveMedia(service, { http, pool, log }) : undefined
  const mediaAccess = media === 'engine' ? carried?.access : media
  const presence = createPresence({ database, clock, log, ...(world.presenceTimes && { times: world.presenceTimes }) })
  const rooms: RoomsService = {
    ...accounts,
    guestCookie,
    reads: createRoomReads(database),
    presence,
    ...(mediaAccess && { media: mediaAccess }),
    ...(carried && { control: carried.control }),
  }
  registerRoomRoutes(rooms)

  const apps = createAppsService(service, checkPages)
  registerAppRoutes(apps)

  const tokens = serveTokens(service, { http, pool, lastUse, log })

  serveReadHealth(service)
  serveReadReadiness(service, () => draining)
  serveReadDatabaseHealth(service, pool)
  serveReadVersion(service, version)
  serveListTimeZones(service)
  serveProblemPages(http)
  serveReadProblem(service)
  const pages = [
    ...serveOpenapi(http, { baseUrl, version }),
    ...serveReference(http),
    ...serveDocs(http, { baseUrl, findAppExamples: createFindAppExamples({ database, authenticate }) }),
    ...serveIcon(http),
    ...serveSite(http, site, { random, mediaUrl: mediaUrlOf(config) }),
  ]

  const forms = [
    ...servePages(http, accounts),
    ...serveAnswers(http, service),
    ...serveReminderStop(http, service),
    ...serveProvider(http, accounts),
  ]
  refuseOtherMethods(http, new Map([...methodsByPath(), ...pages, ...forms, ...(carried?.paths ?? [])]))

  const mailTasks = {
    [sendMailTask]: createSendMailTask({ mailer, encryption, baseUrl }),
    [deliveryTask]: createDeliveryTask({ ...service, mailer, log }),
    [formerEmailTask]: createFormerEmailTask(service),
  }
  const tasks = {
    ...carried?.tasks,
    [remindTask]: createRemindTask({ ...service, log }),
    [refreshNameKeysTask]: async () => void (await refreshNameKeys(database)),
    [linkMailTask]: createLinkMailTask(accounts),
    ...createAuditLineTask({
      database,
      format: config.logFormat,
      write: world.writeAuditLine ?? writeToStandardOutput,
    }),
    [eraseAccountsTask]: createEraseAccountsTask({ ...service, log }),
    [bindSecretsTask]: createBindSecretsTask({ database, encryption, log }),
    [cleanUpTask]: async () => {
      await deleteExpired(database, clock.now(), retention)
      await deleteOldAnswers(database, clock.now())
      await deleteOldAppEvents(database, clock.now(), retention.appEventDays)
      await deleteRemovedTesters(database, clock.now())
      await deleteExpiredTokens(database, clock.now())
      await deleteOldRequests(database, clock.now())
      await deleteOldMails(database, clock.now(), retention.mailRecordDays)
      await deleteOldHistory(database, clock.now(), retention.historyDays)
      await deleteOldAdmissions(database, clock.now())
      await deleteOldSignIns(database, clock.now())
    },
  }

  if (metrics !== undefined) {
    observeRequests(metrics, http, streams.count)
    observeDatabase(metrics, pool, databaseFailures)
    observeQueuedJobs(metrics, pool, Object.keys(mailTasks))
    observeRooms(metrics, pool, carried?.engine)
  }
  const run = metrics === undefined ? { tasks, mailTasks } : observeTasks(metrics, { tasks, mailTasks })

  return {
    http,
    engine: carried?.engine,
    tasks: runInOperations(run.tasks, tracing),
    mailTasks: runInOperations(run.mailTasks, tracing),
    hourly: [cleanUpTask, bindSecretsTask, eraseAccountsTask],
    minutely: [remindTask, ...(carried ? [carried.minutely] : [])],
    atStart: [bindSecretsTask, refreshNameKeysTask, ...(carried ? [carried.minutely] : [])],
    setUpCode: () => accounts.firstAccount.codeToShow(database),
    drain() {
      draining = true
      presence.close()
      streams.end()
    },
    async endCalls() {
      await carried?.stop()
    },
    async close() {
      presence.close()
      streams.end()
      await http.close()
      await topicSubscriptions.close()
      await tokens.flush()
      await apiRefusalLog.flush()
      await lastUse.flush()
    },
  }
}

const writeToStandardOutput = (line: string) => void process.stdout.write(`${line}\n`)

function methodsByPath(): Map<string, string[]> {
  const taken = new Map<string, string[]>()
  for (const { path, method } of endpoints) taken.set(path, [...(taken.get(path) ?? []), method])
  return taken
}
