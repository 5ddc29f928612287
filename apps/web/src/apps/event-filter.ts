import { type AppEventKind, appEventKinds } from '@parley/contract'

export const eventGroups = ['all', 'problems', 'consents', 'app'] as const
type EventGroup = (typeof eventGroups)[number]
export const environments = ['both', 'live', 'sandbox'] as const
type Environment = (typeof environments)[number]

const hourMs = 60 * 60 * 1000
/** How far back entries are shown; null for all. */
const ages = { any: null, hour: hourMs, day: 24 * hourMs, week: 7 * 24 * hourMs } as const
export const eventAges = Object.keys(ages) as (keyof typeof ages)[]

export type EventFilter = {
  group: EventGroup
  environment: Environment
  age: keyof typeof ages
  words: string
}

export const everyEvent: EventFilter = { group: 'all', environment: 'both', age: 'any', words: '' }

const problemKinds: readonly string[] = appEventKinds.problems
export const isProblem = (kind: string): boolean => problemKinds.includes(kind)

/** What has happened to the app itself. */
export const historyKinds: readonly AppEventKind[] = appEventKinds.app.filter((kind) => kind.startsWith('app_'))

/** The query of the list that a filter asks for. */
export function toQuery({ group, environment, age, words }: EventFilter, now: Date) {
  const search = words.trim()
  const ageMs = ages[age]
  return {
    ...(group !== 'all' && { kind: appEventKinds[group].join(',') }),
    ...(environment !== 'both' && { sandbox: environment === 'sandbox' }),
    ...(ageMs !== null && { fromDate: new Date(now.getTime() - ageMs).toISOString() }),
    ...(search !== '' && { search }),
  }
}
