import { type EventType, isEventType, maxWebhookDescriptionLength, maxWebhookTypes } from '@parley/contract'
import { readPlainText } from '@parley/rules/text/plain-text'
import { collect, mapReading, passed, type Reading, readRequired, refuse } from '@parley/rules/text/reading'
import { violationAt } from '@parley/rules/text/violation'

export const readDescription = (text: string) =>
  readPlainText('/description', text, { maxLength: maxWebhookDescriptionLength })

/** Read the names of types; each is kept once. */
export function readTypes(types: readonly (string | undefined)[]): Reading<EventType[]> {
  if (types.length > maxWebhookTypes) {
    return refuse(violationAt('/types', { code: 'too_many', message: `must hold at most ${maxWebhookTypes}` }))
  }
  const readType = (name: string, index: number): Reading<EventType> =>
    isEventType(name)
      ? { value: name }
      : refuse(violationAt(`/types/${index}`, { code: 'unknown_type', message: 'is no type of event' }))
  const read = collect(types.map((type, index) => readRequired(type, (name) => readType(name, index))))
  return mapReading(read, (names) => [...new Set(names)])
}

type Named = { appId?: string; everyone?: boolean; sandbox?: boolean }

/** Check that the fields that say whose webhooks a request concerns name one owner. */
export function readWhose({ appId, everyone, sandbox = false }: Named): Reading<undefined> {
  if (appId !== undefined && everyone) {
    return refuse(violationAt('/everyone', { code: 'not_together', message: 'cannot be sent together with appId' }))
  }
  if (sandbox && appId === undefined) {
    return refuse(violationAt('/sandbox', { code: 'not_together', message: 'can be sent with appId only' }))
  }
  return passed
}
