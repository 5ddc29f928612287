export const eventGroups = ['all', 'problems', 'consents', 'app'] as const
type EventGroup = (typeof eventGroups)[number]
export const environments = ['both', 'live', 'sandbox'] as const
type Environment = (typeof environments)[number]

export type EventFilter = { group: EventGroup; environment: Environment; words: string }
type LoggedEvent = { kind: string; cause: string; requestId: string; sandbox: boolean }

export const isProblem = (kind: string): boolean => /_(refused|replayed)$/.test(kind)

const groups: Record<EventGroup, (kind: string) => boolean> = {
  all: () => true,
  problems: isProblem,
  consents: (kind) => /^(consent|grant)_/.test(kind),
  app: (kind) => /^(app|secret)_/.test(kind),
}

/** Whether an event matches the filter by group, environment, and text of its cause or request id. */
export function fitsFilter({ kind, cause, requestId, sandbox }: LoggedEvent, filter: EventFilter): boolean {
  const words = filter.words.trim().toLowerCase()
  const fitsEnvironment = filter.environment === 'both' || sandbox === (filter.environment === 'sandbox')
  const fitsWords = [kind, cause, requestId].some((text) => text.toLowerCase().includes(words))
  return groups[filter.group](kind) && fitsEnvironment && fitsWords
}
