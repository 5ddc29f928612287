import type { AccountsService } from '../accounts/accounts-service.ts'
import { serveCreateWebhook } from './endpoints/create-webhook.ts'
import { serveDeleteWebhook } from './endpoints/delete-webhook.ts'
import { serveListWebhooks } from './endpoints/list-webhooks.ts'
import { serveReadWebhook } from './endpoints/read-webhook.ts'
import { serveRotateWebhookSecret } from './endpoints/rotate-webhook-secret.ts'
import { serveSendTestEvent } from './endpoints/send-test-event.ts'
import { serveUpdateWebhook } from './endpoints/update-webhook.ts'
import { serveListWebhookDeliveries } from './log/list-webhook-deliveries.ts'
import { serveReadWebhookDelivery } from './log/read-webhook-delivery.ts'
import { serveResendWebhookEvents } from './log/resend-webhook-events.ts'

/** Register the endpoints of webhooks. */
export function registerWebhookRoutes(service: AccountsService): void {
  serveListWebhooks(service)
  serveCreateWebhook(service)
  serveReadWebhook(service)
  serveUpdateWebhook(service)
  serveDeleteWebhook(service)
  serveRotateWebhookSecret(service)
  serveSendTestEvent(service)
  serveListWebhookDeliveries(service)
  serveReadWebhookDelivery(service)
  serveResendWebhookEvents(service)
}
