import { createAccessJobs } from './access/jobs.ts'
import { createAccountDataJobs } from './account-data/jobs.ts'
import { registerAccountDataRoutes } from './account-data/routes.ts'
import { type AccountsOptions, createAccountsService } from './accounts/accounts-service.ts'
import { type AuditLogOptions, createAccountJobs } from './accounts/jobs.ts'
import { registerAccountRoutes } from './accounts/routes.ts'
import { createFoundation, type FoundationOptions } from './create-foundation.ts'
import { registerDocsRoutes } from './docs/routes.ts'
import { createEmailJobs } from './email/jobs.ts'
import { startEventPublisher } from './event-log/event-publisher.ts'
import { createEventJobs } from './event-log/jobs.ts'
import { type OnPublished, publishEvents } from './event-log/publish-events.ts'
import { registerEventRoutes } from './event-log/routes.ts'
import { createInvitationJobs } from './invitations/jobs.ts'
import { mailOutcomes } from './invitations/replies/mail-outcomes.ts'
import { createMailReceiver } from './invitations/replies/receive-mail.ts'
import { registerInvitationRoutes } from './invitations/routes.ts'
import { registerMcpRoutes } from './mcp/routes.ts'
import { createMeetingJobs } from './meetings/jobs.ts'
import { registerMeetingRoutes } from './meetings/routes.ts'
import { createRenewHostSecrets } from './meetings/secrets/renew-host-secrets.ts'
import { observeApp } from './metrics/observe-app.ts'
import { observeInboundMail } from './metrics/observe-inbound-mail.ts'
import { endGrantsOfAccount } from './oauth/grants/end-grants-of-account.ts'
import { createOauthJobs } from './oauth/jobs.ts'
import { registerOauthRoutes } from './oauth/routes.ts'
import { createAgentClients } from './oauth-apps/agent-clients/agent-clients.ts'
import { createFindAppExamples } from './oauth-apps/app-examples.ts'
import { type AppsOptions, createAppsService } from './oauth-apps/apps-service.ts'
import { createAppJobs } from './oauth-apps/jobs.ts'
import { registerAppRoutes } from './oauth-apps/routes.ts'
import { monotonicNow } from './platform/clock.ts'
import { combineJobs } from './platform/jobs/module-jobs.ts'
import { runInOperations } from './platform/jobs/run-in-operation.ts'
import { createDetachAdmissions } from './rooms/admission/detach-admissions.ts'
import { createRooms, type RoomsOptions } from './rooms/create-rooms.ts'
import { createRoomJobs } from './rooms/jobs.ts'
import { registerRoomRoutes } from './rooms/routes.ts'
import { registerServiceInfoRoutes } from './service-info/routes.ts'
import { createSsoJobs } from './sso/jobs.ts'
import { registerSsoRoutes } from './sso/routes.ts'
import { registerSiteRoutes } from './web-app/routes.ts'
import { registerDeliveryLog } from './webhooks/delivery-log.ts'
import { createDeliveryLoop, runDeliveryLoop } from './webhooks/delivery-loop.ts'
import { queueDeliveries } from './webhooks/delivery-queue.ts'
import { createDisableWebhooksOfPerson, createWebhookJobs, disableWebhooksOfPerson } from './webhooks/webhook-health.ts'
import { createWebhookFetch } from './webhooks/webhook-receivers.ts'
import { registerWebhooks } from './webhooks/webhooks.ts'

type AppOptions = FoundationOptions &
  AccountsOptions &
  RoomsOptions &
  AppsOptions &
  AuditLogOptions & { version: string }

/** Compose the modules: each one's routes, then each one's jobs. */
export function createApp(options: AppOptions) {
  const foundation = createFoundation(options)
  const { http, config, clock } = foundation
  const accessEndings = [endGrantsOfAccount, createRenewHostSecrets(foundation), createDetachAdmissions(foundation)]
  const signInEndings = [createDisableWebhooksOfPerson(foundation)]
  const accounts = createAccountsService({ ...foundation, accessEndings, signInEndings }, options)
  const rooms = createRooms(accounts, options)
  const apps = createAppsService(foundation, options)

  registerAccountRoutes(accounts)
  // A closed account is emailed nothing about its webhooks, which are deleted.
  registerAccountDataRoutes({ ...accounts, signInEndings: [disableWebhooksOfPerson] })
  registerMeetingRoutes(foundation)
  registerInvitationRoutes(foundation)
  registerRoomRoutes(rooms.service)
  registerEventRoutes(foundation)
  const webhooks = { ...accounts, fetch: createWebhookFetch(config), monotonicNow }
  registerWebhooks(webhooks)
  registerDeliveryLog(webhooks)
  registerAppRoutes(apps)
  registerOauthRoutes({ ...accounts, agentClients: createAgentClients({ ...accounts, ...apps }) })
  registerSsoRoutes(accounts)
  registerMcpRoutes({ ...foundation, version: options.version })
  registerServiceInfoRoutes(foundation, options.version)
  registerDocsRoutes(http, { baseUrl: config.baseUrl, findAppExamples: createFindAppExamples(foundation) })
  registerSiteRoutes(foundation)
  foundation.refuseOtherMethods()

  const webhookLoop = createDeliveryLoop(webhooks)
  const mailReceiver = createMailReceiver(foundation)
  const jobs = combineJobs(
    [
      createAccessJobs(foundation),
      createAccountJobs(accounts, options),
      createAccountDataJobs(foundation),
      createEmailJobs(foundation),
      createMeetingJobs(foundation),
      createInvitationJobs(foundation),
      createEventJobs(foundation),
      createAppJobs(apps),
      createOauthJobs(foundation),
      createRoomJobs(foundation, rooms.mediaJobs),
      createSsoJobs(foundation),
      createWebhookJobs(webhooks),
    ],
    clock,
  )
  const onPublished: OnPublished = (tx, after) => queueDeliveries(tx, after, clock.now())
  const observedJobs = observeApp(options.metrics, { ...foundation, engine: rooms.engine, jobs, webhookLoop })

  return {
    ...runInOperations(observedJobs, options.tracing),
    http,
    /** What carries audio and video; undefined where nothing does. */
    engine: rooms.engine,
    /** What the operator is shown while there is no account; undefined once there is one. */
    setUpCode: () => accounts.firstAccount.codeToShow(foundation.database),
    /** Write the refusals of apps that wait to be written. */
    writeRefusals: () => foundation.refusalLog.flush(),
    /** Publish events, and queue them for webhooks. */
    publishEvents: () => publishEvents(foundation.database, onPublished),
    /** Deliver what is due to webhooks. */
    webhookLoop,
    /** Publish and deliver events until it is stopped. */
    startEvents() {
      const publisher = startEventPublisher({ ...foundation, onPublished })
      const loop = runDeliveryLoop(webhookLoop, webhooks)
      return {
        async stop() {
          await publisher.stop()
          await loop.stop()
        },
      }
    },
    /** Take a mail to REPLY_ADDRESS. Throws only when the database fails. */
    receiveMail: observeInboundMail(options.metrics, mailOutcomes, mailReceiver.receive),
    /** From here on `/readyz` says no, every answer asks its connection to close, and streams have ended. */
    drain() {
      rooms.drain()
      foundation.drain()
    },
    /** End the calls that go through this process; their participants connect again, elsewhere or later. */
    endCalls: rooms.endCalls,
    /** Finish what is under way, and end what the app keeps going; the pool is its owner's to end. */
    async close() {
      rooms.drain()
      await mailReceiver.stop()
      await foundation.close()
    },
  }
}
