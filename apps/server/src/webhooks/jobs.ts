import type { WithDatabase } from '../access/service.ts'
import type { ModuleJobs } from '../platform/jobs/module-jobs.ts'
import { deleteEndedWebhooks } from './delete-webhooks.ts'
import type { DeliveryDependencies } from './delivery/deliver-event.ts'
import { probeWebhooks, probeWebhooksJob } from './health/probe-webhooks.ts'
import { watchFailingWebhooks, watchFailingWebhooksJob } from './health/watch-failing-webhooks.ts'

/** The background work of webhooks besides deliveries, which have a loop of their own (delivery/delivery-loop.ts). */
export const createWebhookJobs = (service: WithDatabase, deliveries: DeliveryDependencies): ModuleJobs => ({
  tasks: {
    ...watchFailingWebhooksJob.handle(() => watchFailingWebhooks(service, service.clock.now())),
    ...probeWebhooksJob.handle(() => probeWebhooks(deliveries)),
  },
  hourly: [watchFailingWebhooksJob.name],
  minutely: [probeWebhooksJob.name],
  deleteExpired: (now) => deleteEndedWebhooks(service.database, now),
})
