import { useMantineColorScheme } from '@mantine/core'
import { languages } from '@parley/texts/languages'
import {
  IconBan,
  IconBolt,
  IconCalendar,
  IconCalendarEvent,
  IconChevronRight,
  IconDeviceDesktop,
  IconHistory,
  IconKeyboard,
  IconLanguage,
  IconListSearch,
  IconLogin2,
  IconLogout,
  IconMoon,
  IconPlus,
  IconSun,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { sessionQuery, useSignOut } from '../../session/session.ts'
import { useDates } from '../../texts/dates.ts'
import { setLanguage } from '../../texts/i18n.ts'
import { dayOf, writeFullDay } from '../../ui/date-time/days.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import type { Command } from '../../ui/keyboard/commands.ts'
import { entriesFor, navigationIcons } from '../navigation.ts'
import { daysByName } from './days-by-name.ts'
import { matches } from './matches.ts'
import { namesOf, type SearchResult, useFoundDates } from './search-results.ts'

/** Texts besides the label by which a result is found. */
type Findable = SearchResult & { words?: string }

const tickMs = 60_000

const commandIcons: Record<string, SearchResult['icon']> = {
  'do-schedule': IconPlus,
  'do-join': IconLogin2,
  'do-startNow': IconBolt,
  shortcuts: IconKeyboard,
}

/**
 * What matches the text, in groups. What the browser knows comes first, so that the meetings, which arrive later, do not
 * push it away from the pointer.
 */
export function useSearchGroups(query: string, commands: readonly Command[]) {
  // Other pages end the call.
  const inRoom = commands.some(({ id }) => id.startsWith('room-'))
  const isEmpty = query.trim() === ''
  const own = useOwnActions()
  const dates = useFoundDates(query, !inRoom)
  const meetings = useMeetingResults(dates, query)
  const days = useDayResults(query)
  const offered = commands.filter(({ id, held }) => !held && id !== 'search' && !(inRoom && /^(go|do)-/.test(id)))
  const found = (all: readonly Findable[]) => all.filter(({ label, words = '' }) => matches(`${label} ${words}`, query))
  const results = useCommandResults(offered)
  const pages = found(results.filter(({ id }) => id.startsWith('go-')))
  const common = found(results.filter(({ id }) => id.startsWith('do-') || id === 'shortcuts'))
  const ofPage = found(results.filter(({ id }) => !/^(go|do)-/.test(id) && id !== 'shortcuts'))
  const typedOnly = isEmpty || inRoom ? [] : found(own)
  const groups = isEmpty
    ? [
        { name: 'meetings', results: inRoom ? [] : meetings.ahead },
        { name: 'past', results: inRoom ? [] : meetings.past },
        { name: 'ofPage', results: ofPage },
        { name: 'actions', results: common },
        { name: 'pages', results: pages },
      ]
    : [
        { name: 'days', results: inRoom ? [] : days },
        { name: 'ofPage', results: ofPage },
        { name: 'actions', results: [...common, ...typedOnly] },
        { name: 'pages', results: pages },
        { name: 'people', results: inRoom ? [] : meetings.people },
        { name: 'meetings', results: inRoom ? [] : meetings.ahead },
        { name: 'past', results: inRoom ? [] : meetings.past },
      ]
  return { groups: groups as readonly SearchGroup[], isLoading: dates.isLoading, error: dates.error }
}

type SearchGroup = {
  name: 'ofPage' | 'meetings' | 'past' | 'actions' | 'pages' | 'days' | 'people'
  results: readonly SearchResult[]
}

/** The commands of the page and of every page, with their icons. */
function useCommandResults(commands: readonly Command[]): readonly Findable[] {
  const { t } = useTranslation()
  const { data: person } = useQuery({ ...sessionQuery, enabled: false })
  const icons = new Map(
    (person ? entriesFor(person) : []).map(({ navigation: { name, icon } }) => [`go-${name}`, navigationIcons[icon]]),
  )
  return commands.map(({ id, label, keys, run }) => {
    const Icon = icons.get(id) ?? IconChevronRight
    return {
      id,
      label,
      keys,
      run,
      icon: commandIcons[id] ?? Icon,
      ...(id === 'do-schedule' && { words: t('commands.words.schedule') }),
    }
  })
}

/** Actions that are found by typing only: they are in the menu of the portrait as well. */
function useOwnActions(): readonly Findable[] {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const signOut = useSignOut()
  const { setColorScheme } = useMantineColorScheme()
  const { data: person } = useQuery({ ...sessionQuery, enabled: false })
  const schemes = [
    { scheme: 'light', Icon: IconSun },
    { scheme: 'dark', Icon: IconMoon },
    { scheme: 'auto', Icon: IconDeviceDesktop },
  ] as const
  const ofEveryone: Findable[] = [
    ...schemes.map(({ scheme, Icon }) => ({
      id: `scheme-${scheme}`,
      label: t(`appearance.${scheme}`),
      detail: t('appearance.scheme'),
      words: t('appearance.scheme'),
      icon: Icon,
      run: () => setColorScheme(scheme),
    })),
    ...languages
      .filter(({ code }) => code !== i18n.language)
      .map(({ code, name }) => ({
        id: `language-${code}`,
        label: name,
        detail: t('appearance.language'),
        words: t('appearance.language'),
        icon: IconLanguage,
        run: () => void setLanguage(code),
      })),
  ]
  if (!person) return ofEveryone
  return [
    {
      id: 'list-past',
      label: t('commands.past'),
      icon: IconHistory,
      run: () => void navigate({ to: '/meetings', search: { when: 'past' } }),
    },
    {
      id: 'list-cancelled',
      label: t('commands.cancelled'),
      icon: IconBan,
      run: () => void navigate({ to: '/meetings', search: { when: 'cancelled' } }),
    },
    ...ofEveryone,
    {
      id: 'sign-out',
      label: t('signOut'),
      words: t('commands.words.signOut'),
      icon: IconLogout,
      run: () => signOut.mutate(),
    },
  ]
}

function useDayResults(query: string): readonly SearchResult[] {
  const { t, i18n } = useTranslation()
  const navigate = useNavigate()
  const fullDay = writeFullDay(i18n.language)
  return daysByName(query, dayOf(useNow(tickMs)), i18n.language).map(({ name, day, view }) => ({
    id: `day-${name}`,
    label: name,
    detail: view === 'day' ? fullDay(day) : t('navigation.pages.calendar'),
    icon: IconCalendar,
    run: () => void navigate({ to: '/calendar', search: { date: day, view } }),
  }))
}

/** Meetings with their date and people, and the way to all of them. */
function useMeetingResults(found: ReturnType<typeof useFoundDates>, query: string) {
  const { t } = useTranslation()
  const { range } = useDates()
  const navigate = useNavigate()
  const text = query.trim()
  const toResult =
    (kind: string, icon: SearchResult['icon']) =>
    (date: (typeof found)['ahead'][number]): SearchResult => {
      const { meetingId, topic, startTime, endTime, recur, foundInDescription } = date
      const search = recur ? { date: new Date(startTime).toISOString() } : {}
      const names = namesOf(date).filter((name) => text !== '' && matches(name, text))
      return {
        id: `${kind}-${meetingId}-${startTime}`,
        label: topic,
        detail: [
          ...names,
          range(startTime, endTime),
          ...(foundInDescription === true && text !== '' ? [t('commands.inDescription')] : []),
        ].join(' · '),
        icon,
        run: () => void navigate({ to: '/meetings/$meetingId', params: { meetingId }, search }),
      }
    }
  const all = (when: 'past' | undefined, q: string) =>
    void navigate({ to: '/meetings', search: { q, ...(when && { when }) } })
  const more = (isThere: boolean, when: 'past' | undefined): SearchResult[] =>
    isThere
      ? [
          {
            id: `more-${when}`,
            label: t('commands.allMatching'),
            icon: IconListSearch,
            run: () => all(when, text),
          },
        ]
      : []
  return {
    ahead: [...found.ahead.map(toResult('ahead', IconCalendarEvent)), ...more(found.moreAhead, undefined)],
    past: [...found.past.map(toResult('past', IconHistory)), ...more(found.morePast, 'past')],
    people: found.people.map(({ name, email, photo }) => ({
      id: `person-${email ?? name}`,
      label: name,
      detail: [...(email === undefined || email === name ? [] : [email]), t('commands.meetingsWith')].join(' · '),
      icon: 'portrait' as const,
      photo,
      // An address is one person; several may have a name.
      run: () => all(undefined, email ?? name),
    })),
  }
}
