import { useDebouncedValue } from '@mantine/hooks'
import { listAgenda, type ReplyOf, suggestPeople } from '@parley/contract'
import { matchesPerson, searchWords } from '@parley/rules/text/search-words'
import type { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { client } from '../../session/client.ts'
import { sessionQuery } from '../../session/session.ts'
import { matches } from './matches.ts'

/** What can be chosen: a meeting, a person, a day, a page or an action. */
export type SearchResult = {
  id: string
  label: string
  detail?: string | undefined
  keys?: string | undefined
  /** A person has a portrait. */
  icon: typeof IconSearch | 'portrait'
  photo?: string | undefined
  run(): void
}

/** Delay between the last keystroke and the search. */
const pauseMs = 200
/** How many dates are read: those of a series count once in the results. */
const datesRead = 15
const maxAhead = 5
const maxPast = 4
const maxPeople = 4
const staleMs = 60_000

type AgendaDate = ReplyOf<typeof listAgenda>['dates'][number]

/** Who takes part besides the reader, as far as the list names them. */
export const namesOf = ({ role, host, people }: AgendaDate): string[] => [...(role === 'host' ? [] : [host]), ...people]

/** The dates whose topic, or one of whose people, matches; without a text, the next and the latest ones. */
export function useFoundDates(query: string, enabled: boolean) {
  const text = query.trim()
  const [typed] = useDebouncedValue(text, pauseMs)
  const { data: person } = useQuery({ ...sessionQuery, enabled: false })
  const isOn = enabled && Boolean(person)
  const options = (list: 'ahead' | 'past') => ({
    // Under ['meetings'], so that a change of a meeting refreshes it.
    queryKey: ['meetings', 'search', list, typed],
    queryFn: () => client.call(listAgenda, { query: { list, limit: datesRead, ...(typed !== '' && { q: typed }) } }),
    enabled: isOn,
    placeholderData: keepPreviousData,
  })
  const ahead = useQuery(options('ahead'))
  const past = useQuery(options('past'))
  const people = useQuery({
    queryKey: ['people', 'search', typed],
    queryFn: () => client.call(suggestPeople, { query: { q: typed, limit: maxPeople } }),
    enabled: isOn && searchWords(typed).length > 0,
    staleTime: staleMs,
    retry: false,
    placeholderData: keepPreviousData,
  })
  const isStale = typed !== text || ahead.isPlaceholderData || past.isPlaceholderData
  // Of earlier results, those stay that match what is typed now.
  const fits = (date: AgendaDate) => !isStale || matches([date.topic, ...namesOf(date)].join(' '), text)
  const found = { ahead: meetingsOf(ahead.data?.dates, fits), past: meetingsOf(past.data?.dates, fits) }
  const isMore = (all: readonly AgendaDate[], shown: number, reply: typeof ahead.data) =>
    !isStale && text !== '' && (all.length > shown || reply?.moreAvailable === true)
  return {
    ahead: found.ahead.slice(0, maxAhead),
    past: found.past.slice(0, maxPast),
    people: text === '' ? [] : foundPeople(people.data?.people, [...found.ahead, ...found.past], text),
    moreAhead: isMore(found.ahead, maxAhead, ahead.data),
    morePast: isMore(found.past, maxPast, past.data),
    isLoading: isOn && (isStale || ahead.isPending || past.isPending) && ahead.error === null && past.error === null,
    error: ahead.error ?? past.error,
  }
}

/** Each meeting once, at the first of its dates. */
function meetingsOf(dates: readonly AgendaDate[] = [], fits: (date: AgendaDate) => boolean): AgendaDate[] {
  const byMeeting = Map.groupBy(dates.filter(fits), ({ meetingId }) => meetingId)
  return [...byMeeting.values()].flatMap((all) => all.slice(0, 1))
}

type FoundPerson = { name: string; email: string | undefined; photo: string | undefined }

/**
 * The people whose name or address matches: those whom the reader has invited and colleagues, whom they know best first,
 * then others of these dates.
 */
function foundPeople(
  known: ReplyOf<typeof suggestPeople>['people'] = [],
  dates: readonly AgendaDate[],
  text: string,
): FoundPerson[] {
  const suggested = known
    .filter((person) => matchesPerson(text, person))
    .map(({ name, email, imageMeta }) => ({ name: name || email, email, photo: imageMeta?.filePath }))
  const names = new Set(suggested.flatMap(({ name, email }) => [name, email]))
  const others = [...new Set(dates.flatMap(namesOf))].filter((name) => matches(name, text) && !names.has(name))
  return [...suggested, ...others.map((name) => ({ name, email: undefined, photo: undefined }))].slice(0, maxPeople)
}
