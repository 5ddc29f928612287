import {
  type BodyOf,
  createWebhook,
  deleteWebhook,
  type EventType,
  type ReplyOf,
  resendWebhookEvents,
  rotateWebhookSecret,
  sendTestEvent,
  updateWebhook,
} from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import { type ChangeHandlers, useChange } from '../session/use-change.ts'
import { webhookKeys } from './webhook-queries.ts'

/** The changes of webhooks, each with the queries that are refreshed after it. */

type WebhookBody = BodyOf<typeof createWebhook>

export const useCreateWebhook = (handlers: ChangeHandlers<ReplyOf<typeof createWebhook>, WebhookBody>) =>
  useChange({ mutationFn: (body) => client.call(createWebhook, { body }), refreshes: webhookKeys.all }, handlers)

type WebhookChanges = BodyOf<typeof updateWebhook>

export const useUpdateWebhook = (webhookId: string, handlers: ChangeHandlers<unknown, WebhookChanges>) =>
  useChange(
    {
      mutationFn: (body) => client.call(updateWebhook, { params: { webhookId }, body }),
      refreshes: webhookKeys.all,
    },
    handlers,
  )

export const useRotateWebhookSecret = (webhookId: string) =>
  useChange({
    mutationFn: () => client.call(rotateWebhookSecret, { params: { webhookId } }),
    refreshes: webhookKeys.all,
  })

/** `leave` opens another page: the page of a deleted webhook would read it again. */
export function useDeleteWebhook(webhookId: string, leave: () => Promise<void>) {
  const queryClient = useQueryClient()
  return useChange(
    { mutationFn: () => client.call(deleteWebhook, { params: { webhookId } }), refreshes: webhookKeys.all },
    {
      onSaved: async () => {
        await leave()
        queryClient.removeQueries({ queryKey: webhookKeys.one(webhookId) })
        queryClient.removeQueries({ queryKey: webhookKeys.deliveries(webhookId) })
      },
    },
  )
}

/** Send one event again; without an id, all failed ones. */
export const useResendEvents = (
  webhookId: string,
  handlers: ChangeHandlers<ReplyOf<typeof resendWebhookEvents>, BodyOf<typeof resendWebhookEvents>>,
) =>
  useChange(
    {
      mutationFn: (body) => client.call(resendWebhookEvents, { params: { webhookId }, body }),
      refreshes: webhookKeys.all,
    },
    handlers,
  )

export const useSendTestEvent = (
  webhookId: string,
  handlers: ChangeHandlers<ReplyOf<typeof sendTestEvent>, EventType>,
) =>
  useChange(
    {
      mutationFn: (type) => client.call(sendTestEvent, { params: { webhookId }, body: { type } }),
      refreshes: webhookKeys.deliveries(webhookId),
    },
    handlers,
  )
