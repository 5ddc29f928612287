import { endpoints } from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { createAccessJobs } from './access/jobs.ts'
import { createAccountDataJobs } from './account-data/jobs.ts'
import { registerAccountDataRoutes } from './account-data/routes.ts'
import { createAccountsService } from './accounts/accounts-service.ts'
import { createAccountJobs } from './accounts/jobs.ts'
import { registerAccountRoutes } from './accounts/routes.ts'
import type { FirstAccountPolicy } from './accounts/set-up/first-account.ts'
import { createFoundation } from './create-foundation.ts'
import { serveProblemPages } from './docs/problem-pages.ts'
import { serveDocs } from './docs/serve-docs.ts'
import { createEmailJobs } from './email/jobs.ts'
import type { Mailer } from './email/mail.ts'
import { createInvitationJobs } from './invitations/jobs.ts'
import { serveReminderStop } from './invitations/reminder-stop/serve-reminder-stop.ts'
import { registerInvitationRoutes } from './invitations/routes.ts'
import { serveAnswers } from './invitations/serve-answers.ts'
import { createMeetingJobs } from './meetings/jobs.ts'
import { createMeetingReads } from './meetings/meeting-reads.ts'
import { registerMeetingRoutes } from './meetings/routes.ts'
import { createRenewHostSecrets } from './meetings/secrets/renew-host-secrets.ts'
import type { Metrics } from './metrics/create-metrics.ts'
import { observeDatabase } from './metrics/observe-database.ts'
import { observeQueuedJobs, observeTasks } from './metrics/observe-jobs.ts'
import { observeMailer } from './metrics/observe-mailer.ts'
import { observeRequests } from './metrics/observe-requests.ts'
import { observeRooms } from './metrics/observe-rooms.ts'
import { servePages } from './oauth/authorize/serve-pages.ts'
import { endGrantsOfAccount } from './oauth/grants/end-grants-of-account.ts'
import { serveTokens } from './oauth/grants/serve-tokens.ts'
import { createOauthJobs } from './oauth/jobs.ts'
import { createFindAppExamples } from './oauth-apps/app-examples.ts'
import { createAppsService } from './oauth-apps/apps-service.ts'
import { createAppJobs } from './oauth-apps/jobs.ts'
import type { PageChecks } from './oauth-apps/page-checks/page-checks.ts'
import { registerAppRoutes } from './oauth-apps/routes.ts'
import type { Clock } from './platform/clock.ts'
import type { Config } from './platform/config/config.ts'
import { refuseOtherMethods } from './platform/http/http.ts'
import { type AppJobs, combineJobs } from './platform/jobs/module-jobs.ts'
import { runInOperations } from './platform/jobs/run-in-operation.ts'
import type { Random } from './platform/random.ts'
import type { Tracing } from './platform/trace.ts'
import { createDetachAdmissions } from './rooms/admission/detach-admissions.ts'
import { type MediaEngine, mediaUrlOf } from './rooms/engine/media-engine.ts'
import { serveMedia } from './rooms/engine/serve-media.ts'
import { createRoomJobs } from './rooms/jobs.ts'
import type { MediaAccess } from './rooms/media-access.ts'
import { createPresence, type PresenceTimes } from './rooms/presence.ts'
import { createRoomReads } from './rooms/room-reads.ts'
import { registerRoomRoutes } from './rooms/routes.ts'
import { registerServiceInfoRoutes } from './service-info/routes.ts'
import { createSsoJobs } from './sso/jobs.ts'
import { serveProvider } from './sso/serve-provider.ts'
import type { Site } from './web-app/read-site.ts'
import { serveSite } from './web-app/serve-site.ts'

type AppDependencies = {
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
  checkEveryMs?: number
  /** What Prometheus is told; absent: nothing is counted. */
  metrics?: Metrics
  /** Takes the lines of the audit log; standard output when absent. */
  writeAuditLine?: (line: string) => void
  /** Where the spans of requests and jobs go; absent: nowhere. */
  tracing?: Tracing
  /** When it is noted who waits at a door; as usual when absent. */
  presenceTimes?: PresenceTimes
}

type App = AppJobs & {
  http: FastifyInstance
  /** What carries audio and video; absent where nothing does. */
  engine: MediaEngine | undefined
  /** What the operator is shown while there is no account; undefined once there is one. */
  setUpCode(): Promise<string | undefined>
  /** From here on `/readyz` says no, every answer asks its connection to close, and streams have ended. */
  drain(): void
  /** End the calls that go through this process; their participants connect again, elsewhere or later. */
  endCalls(): Promise<void>
  /** Finish what is under way, and end what the app keeps going; the pool is its owner's to end. */
  close(): Promise<void>
}

/** Compose the modules: each one's routes, then each one's jobs. */
export function createApp(dependencies: AppDependencies): App {
  const { config, pool, clock, random, log, version, media, metrics, tracing, site } = dependencies
  const { baseUrl } = config
  const carriesMedia = media === 'engine' && config.livekit === undefined
  const foundation = createFoundation({ ...dependencies, carriesMedia })
  const { http, service, database, guestCookie, lastUse } = foundation
  const { encryption } = service
  /** For jobs, which have no handler context. */
  const background = { ...service, database }
  const mailer = metrics === undefined ? dependencies.mailer : observeMailer(metrics, dependencies.mailer)

  const accounts = createAccountsService(service, {
    pool,
    database,
    firstAccountPolicy: dependencies.firstAccountPolicy,
    isLocalRequest: foundation.isLocalRequest,
    accessEndings: [endGrantsOfAccount, createRenewHostSecrets(service), createDetachAdmissions(service)],
  })
  const engine = media === 'engine' ? serveMedia(background, { http, pool, log }) : undefined
  const mediaAccess = media === 'engine' ? engine?.access : media
  const presence = createPresence({
    database,
    clock,
    log,
    ...(dependencies.presenceTimes && { times: dependencies.presenceTimes }),
  })
  const rooms = {
    ...accounts,
    guestCookie,
    reads: createRoomReads(database),
    presence,
    ...(mediaAccess && { media: mediaAccess }),
    ...(engine && { control: engine.control }),
  }

  registerAccountRoutes(accounts)
  registerAccountDataRoutes(accounts)
  registerMeetingRoutes(service, createMeetingReads(database))
  registerInvitationRoutes(service)
  registerRoomRoutes(rooms)
  registerAppRoutes(createAppsService(service, dependencies.checkPages))
  const tokens = serveTokens(service, { http, pool, database, lastUse, log })
  serveProblemPages(http)
  /** The methods of each path outside the contract: pages, forms, the media engine. */
  const others = [
    ...registerServiceInfoRoutes(service, { http, pool, version, isDraining: foundation.isDraining }),
    ...serveDocs(http, {
      baseUrl,
      findAppExamples: createFindAppExamples({ database, authenticate: foundation.authenticate }),
    }),
    ...serveSite(http, site, { random, mediaUrl: mediaUrlOf(config) }),
    ...servePages(http, { ...accounts, database }),
    ...serveAnswers(http, { ...service, database }),
    ...serveReminderStop(http, { ...service, database }),
    ...serveProvider(http, { ...accounts, database }),
    ...(engine?.paths ?? []),
  ]
  refuseOtherMethods(http, new Map([...methodsByPath(), ...others]))

  const jobs = combineJobs(
    [
      createAccessJobs(background),
      createAccountJobs({ ...accounts, database }, dependencies.writeAuditLine ?? writeToStandardOutput),
      createAccountDataJobs(background, log),
      createEmailJobs({ mailer, encryption, baseUrl }),
      createMeetingJobs(background, log),
      createInvitationJobs(background, { mailer, log }),
      createAppJobs(background),
      createOauthJobs(background),
      createRoomJobs(background, engine?.jobs),
      createSsoJobs(background),
    ],
    clock,
  )
  if (metrics !== undefined) {
    observeRequests(metrics, http, foundation.streams.count)
    observeDatabase(metrics, pool, service.databaseFailures)
    observeQueuedJobs(metrics, pool, Object.keys(jobs.mailTasks))
    observeRooms(metrics, pool, engine?.engine)
  }
  const { tasks, mailTasks } =
    metrics === undefined ? jobs : observeTasks(metrics, { tasks: jobs.tasks, mailTasks: jobs.mailTasks })

  return {
    ...jobs,
    http,
    engine: engine?.engine,
    tasks: runInOperations(tasks, tracing),
    mailTasks: runInOperations(mailTasks, tracing),
    setUpCode: () => accounts.firstAccount.codeToShow(database),
    drain() {
      presence.close()
      foundation.drain()
    },
    async endCalls() {
      await engine?.stop()
    },
    async close() {
      presence.close()
      await foundation.close()
      await tokens.flush()
    },
  }
}

const writeToStandardOutput = (line: string) => void process.stdout.write(`${line}\n`)

/** The methods of each path of the contract. */
function methodsByPath(): Map<string, string[]> {
  const methods = new Map<string, string[]>()
  for (const { path, method } of endpoints) methods.set(path, [...(methods.get(path) ?? []), method])
  return methods
}
