import { type EventType, eventTypeNames, type WebhookPayload } from '@parley/contract'

/** The values of the form. Types that were chosen are kept when all are chosen after them. */
export type WebhookValues = {
  url: string
  description: string
  extent: 'all' | 'some'
  types: readonly EventType[]
  payload: WebhookPayload
}

/** The fields of the request, which names no types for all of them. */
export const writtenFields = ({ url, description, extent, types, payload }: WebhookValues) => ({
  url: url.trim(),
  description: description.trim(),
  // In the order of the catalogue, whatever the order of the clicks.
  types: extent === 'all' ? [] : eventTypeNames.filter((type) => types.includes(type)),
  payload,
})
