import { createAccess } from './access/access.ts'
import { describeRefusal } from './access/app-refusals.ts'
import { createAccessJobs } from './access/idempotency.ts'
import { createAccountDataJobs, registerAccountData } from './account-data/account-data.ts'
import { type AuditLogOptions, createAccountJobs, registerAccounts } from './accounts/accounts.ts'
import { type AccountOptions, createAccountDependencies } from './accounts/dependencies.ts'
import { attachLogos } from './accounts/email-links/attach-logos.ts'
import { createFindServiceFace } from './accounts/service-face.ts'
import { registerDocs } from './docs/docs.ts'
import type { Mailer } from './email/mail.ts'
import { createEmailJobs } from './email/mail-job.ts'
import { registerEventLog } from './event-log/event-log.ts'
import { createEventJobs } from './event-log/event-store.ts'
import { type OnPublished, publishEvents, startEventPublisher } from './event-log/publish-events.ts'
import { createPushFetch, createPushTasks } from './event-log/push/send-push.ts'
import { createInvitationJobs, registerInvitations } from './invitations/invitations.ts'
import { createMailReceiver, mailOutcomes } from './invitations/replies/receive-mail.ts'
import { registerMcp } from './mcp/mcp.ts'
import { createRenewHostSecrets } from './meetings/meeting-secrets.ts'
import { createMeetingJobs, registerMeetings } from './meetings/meetings.ts'
import type { Metrics } from './metrics/metrics.ts'
import { observeInboundMail, observeMailer, observeService } from './metrics/observe-service.ts'
import { endGrantsOfAccount } from './oauth/grants/grant-store.ts'
import { createOauthJobs, registerOauth } from './oauth/oauth.ts'
import { createAgentClients } from './oauth-apps/agent-clients/client-admission.ts'
import { createFindAppExamples } from './oauth-apps/apps.ts'
import { findFramingOrigins } from './oauth-apps/client-store.ts'
import { type AppsOptions, createAppsDependencies } from './oauth-apps/dependencies.ts'
import { createRefusalLog } from './oauth-apps/events/refusal-log.ts'
import { createAppJobs, registerOauthApps } from './oauth-apps/oauth-apps.ts'
import { monotonicNow } from './platform/clock.ts'
import { runInOperations } from './platform/jobs/jobs.ts'
import { combineJobs } from './platform/jobs/module-jobs.ts'
import type { GuardedFetch } from './platform/outbound/guarded-fetch.ts'
import { createPlatform, type PlatformOptions } from './platform/platform.ts'
import { createDetachAdmissions } from './rooms/admission/admission-store.ts'
import { mediaUrlOf } from './rooms/engine/media-engine.ts'
import { isMediaUpgrade } from './rooms/engine/media-proxy.ts'
import { createRooms, type RoomsOptions } from './rooms/rooms.ts'
import { queueStartChecks } from './rooms/starting-store.ts'
import { registerServiceInfo } from './service-info/service-info.ts'
import { createProviderSignInJobs, registerProviderSignIn } from './sso/sso.ts'
import type { WebBuild } from './web-app/web-app.ts'
import { createShowNotFound, registerWebApp } from './web-app/web-app.ts'
import { createDeliveryLoop, runDeliveryLoop } from './webhooks/delivery-loop.ts'
import { queueDeliveries } from './webhooks/delivery-queue.ts'
import { createDisableWebhooksOfPerson, createWebhookJobs, disableWebhooksOfPerson } from './webhooks/webhook-health.ts'
import { createWebhookFetch } from './webhooks/webhook-receivers.ts'
import { registerWebhooks } from './webhooks/webhooks.ts'

type ServiceOptions = Omit<PlatformOptions, 'showNotFound' | 'isUpgrade'> &
  AccountOptions &
  RoomsOptions &
  AppsOptions &
  AuditLogOptions & {
    version: string
    mailer: Mailer
    /** Absent: nothing is counted. */
    metrics?: Metrics
    /** The built pages; absent where only the API is served. */
    site?: WebBuild
    /** Hands messages to push services; the guarded fetch when absent. */
    pushFetch?: GuardedFetch
    /** How often a stream checks for changes without a notification; 15 to 30 s when absent. */
    checkEveryMs?: number
  }

/** Compose the modules: each one's routes, then each one's jobs. */
export function createApp(options: ServiceOptions) {
  const { config, clock, random, site, metrics } = options
  const mediaUrl = mediaUrlOf(config)
  const carriesMedia = options.media === 'engine' && config.livekit === undefined
  const platform = createPlatform({
    ...options,
    ...(carriesMedia && { isUpgrade: isMediaUpgrade }),
    ...(site && { showNotFound: createShowNotFound(site, { random, mediaUrl }) }),
  })
  const { http, database } = platform
  const refusalLog = createRefusalLog(platform)
  const access = createAccess(platform, {
    ...options,
    recordAppRefusal(refusal) {
      const { appId, sandbox, requestId } = refusal
      const cause = describeRefusal(refusal)
      refusalLog.record({ appId, sandbox, kind: 'api_refused', cause, requestId, now: clock.now() })
    },
  })
  const shared = { ...platform, ...access, mailer: observeMailer(metrics, attachLogos(options.mailer, database)) }
  const onAccessRevoked = [endGrantsOfAccount, createRenewHostSecrets(shared), createDetachAdmissions(shared)]
  const onSignedOut = [createDisableWebhooksOfPerson(shared)]
  const accounts = createAccountDependencies({ ...shared, onAccessRevoked, onSignedOut }, options)
  const rooms = createRooms(accounts, options)
  const apps = createAppsDependencies(shared, options)

  registerAccounts(accounts)
  // A closed account is emailed nothing about its webhooks, which are deleted.
  registerAccountData({ ...accounts, onSignedOut: [disableWebhooksOfPerson] })
  registerMeetings(shared)
  registerInvitations(shared)
  registerEventLog(shared)
  const webhooks = { ...accounts, fetch: createWebhookFetch(config), monotonicNow }
  registerWebhooks(webhooks)
  registerOauthApps(apps)
  registerOauth({ ...accounts, refusalLog, agentClients: createAgentClients({ ...accounts, ...apps }) })
  registerProviderSignIn(accounts)
  registerMcp({ ...shared, version: options.version })
  registerServiceInfo(shared, options.version, createFindServiceFace(shared))
  registerDocs(http, { baseUrl: config.baseUrl, findAppExamples: createFindAppExamples(shared) })
  const findOrigins = (clientId: string) => findFramingOrigins(database, clientId)
  registerWebApp({ ...shared, site, mediaUrl, findFramingOrigins: findOrigins })
  platform.refuseOtherMethods()

  const webhookLoop = createDeliveryLoop(webhooks)
  const mailReceiver = createMailReceiver(shared)
  const jobs = combineJobs(
    [
      createAccessJobs(shared),
      createAccountJobs(accounts, options),
      createAccountDataJobs(shared),
      createEmailJobs(shared),
      createMeetingJobs(shared),
      createInvitationJobs(shared),
      createEventJobs(shared),
      { pushTasks: createPushTasks({ ...shared, pushFetch: options.pushFetch ?? createPushFetch(config) }) },
      createAppJobs(apps),
      createOauthJobs(shared),
      rooms.jobs,
      createProviderSignInJobs(shared),
      createWebhookJobs(webhooks),
    ],
    clock,
  )
  const onPublished: OnPublished = async (tx, after) => {
    await queueDeliveries(tx, after, clock.now())
    await queueStartChecks(tx, after)
  }
  const observedJobs = observeService(metrics, { ...shared, engine: rooms.engine, jobs, webhookLoop })

  return {
    ...runInOperations(observedJobs, options.tracing),
    http,
    /** What carries audio and video; undefined where nothing does. */
    engine: rooms.engine,
    /** What the operator is shown while there is no account; undefined once there is one. */
    setUpCode: () => accounts.firstAccount.findCode(database),
    /** Write the refusals of apps that wait to be written. */
    writeRefusals: () => refusalLog.flush(),
    /** Publish events, and queue them for webhooks. */
    publishEvents: () => publishEvents(database, onPublished, shared.log),
    /** Deliver what is due to webhooks. */
    webhookLoop,
    /** Publish and deliver events until it is stopped. */
    startEvents() {
      const publisher = startEventPublisher({ ...shared, onPublished })
      const loop = runDeliveryLoop(webhookLoop, webhooks)
      return {
        async stop() {
          await publisher.stop()
          await loop.stop()
        },
      }
    },
    /** Take a mail to REPLY_ADDRESS. Throws only when the database fails. */
    receiveMail: observeInboundMail(metrics, mailOutcomes, mailReceiver.receive),
    /** Let `/readyz` refuse, send `Connection: close` with each response, and end the streams. */
    drain() {
      rooms.drain()
      platform.drain()
      access.streams.end()
    },
    /** End the calls that go through this process; their participants connect again, elsewhere or later. */
    endCalls: rooms.endCalls,
    /** Finish the requests in progress, and end the app's own work. The pool belongs to the caller. */
    async close() {
      rooms.drain()
      await mailReceiver.stop()
      access.streams.end()
      await platform.close()
      await refusalLog.flush()
      await access.lastUse.flush()
    },
  }
}
