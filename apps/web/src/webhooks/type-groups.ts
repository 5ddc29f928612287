import type { EventType } from '@parley/contract'

/** The types that a webhook may name: all but those about the webhook itself, which it is sent in any case. */
type SelectableType = Exclude<EventType, `webhook.${string}`>
type EventNoun = NounOf<SelectableType>
type NounOf<Type> = Type extends `${infer Noun}.${string}` ? Noun : never

export const isSelectable = (type: EventType): type is SelectableType => !type.startsWith('webhook.')

/** The first part of a type's name, such as `meeting` of `meeting.occurrence.updated`. */
export const nounOf = (type: SelectableType) => type.slice(0, type.indexOf('.')) as EventNoun

/** Group types by their noun, in the order of the catalogue. */
export function groupTypes(types: readonly SelectableType[]): { noun: EventNoun; types: SelectableType[] }[] {
  const nouns = [...new Set(types.map(nounOf))]
  return nouns.map((noun) => ({ noun, types: types.filter((type) => nounOf(type) === noun) }))
}

type KeyOf<Type extends string> = Type extends `${infer First}.${infer Rest}` ? `${First}_${KeyOf<Rest>}` : Type

/** The key of a type's description; i18next separates keys by dots. */
export const typeKey = (type: EventType) => type.replaceAll('.', '_') as KeyOf<EventType>
