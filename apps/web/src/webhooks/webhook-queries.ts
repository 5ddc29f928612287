import { listWebhookDeliveries, listWebhooks, readWebhook, readWebhookDelivery } from '@parley/contract'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import type { LogState } from './webhook-search.ts'

/** Whose webhooks a page shows. */
export type WebhookScope = { kind: 'person' } | { kind: 'organisation' } | { kind: 'app'; appId: string }

const deliveriesOnAPage = 25

/** A change of a webhook refreshes everything under `all`. */
export const webhookKeys = {
  all: ['webhooks'],
  list: (scope: WebhookScope) => ['webhooks', 'list', scope],
  one: (webhookId: string) => ['webhooks', 'one', webhookId],
  deliveries: (webhookId: string) => ['webhooks', 'deliveries', webhookId],
}

/** What the endpoints take to name the owner; nothing for the person's own. */
export const namedOwner = (scope: WebhookScope): { appId?: string; everyone?: boolean } =>
  scope.kind === 'app' ? { appId: scope.appId } : scope.kind === 'organisation' ? { everyone: true } : {}

export const webhooksQuery = (scope: WebhookScope) =>
  queryOptions({
    queryKey: webhookKeys.list(scope),
    // Deliveries change the states without a request of the page.
    staleTime: 0,
    queryFn: async () => (await client.call(listWebhooks, { query: namedOwner(scope) })).webhooks,
  })

export const webhookQuery = (webhookId: string) =>
  queryOptions({
    queryKey: webhookKeys.one(webhookId),
    staleTime: 0,
    queryFn: () => client.call(readWebhook, { params: { webhookId } }),
  })

/** The deliveries of the last 30 days, newest first; of one state or of all. */
export const deliveriesQuery = (webhookId: string, state: LogState | undefined) =>
  infiniteQueryOptions({
    queryKey: [...webhookKeys.deliveries(webhookId), state ?? 'all'],
    initialPageParam: null as string | null,
    queryFn: ({ pageParam }) =>
      client.call(listWebhookDeliveries, {
        params: { webhookId },
        query: {
          limit: deliveriesOnAPage,
          ...(state !== undefined && { state }),
          ...(pageParam !== null && { after: pageParam }),
        },
      }),
    getNextPageParam: ({ nextCursor, moreAvailable }) => (moreAvailable ? nextCursor : null),
  })

/** One delivery with its attempts, read again when their number or its state has changed. */
export const deliveryQuery = (webhookId: string, delivery: { eventId: string; attempts: number; state: string }) =>
  queryOptions({
    queryKey: [...webhookKeys.deliveries(webhookId), 'one', delivery.eventId, delivery.attempts, delivery.state],
    queryFn: () => client.call(readWebhookDelivery, { params: { webhookId, eventId: delivery.eventId } }),
  })
