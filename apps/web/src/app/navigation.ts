import type { Profile } from '@parley/contract'
import {
  IconApps,
  IconBell,
  IconBuilding,
  IconCalendar,
  IconChecklist,
  IconCode,
  IconHistory,
  IconListDetails,
  IconPlugConnected,
  IconRocket,
  IconShieldLock,
  IconUser,
  IconUsers,
  IconVideo,
  IconWebhook,
} from '@tabler/icons-react'
import { type ListedPage, type PageDefinition, pages } from './pages.ts'

type NavigationPage = Extract<ListedPage, { navigation: object }>
type Place = NavigationPage['navigation']['place']

/** The icons by their names in the table of pages, which is free of React. */
export const navigationIcons: Record<NavigationPage['navigation']['icon'], typeof IconCalendar> = {
  apps: IconApps,
  bell: IconBell,
  building: IconBuilding,
  calendar: IconCalendar,
  checklist: IconChecklist,
  code: IconCode,
  history: IconHistory,
  list: IconListDetails,
  lock: IconShieldLock,
  people: IconUsers,
  person: IconUser,
  plug: IconPlugConnected,
  rocket: IconRocket,
  video: IconVideo,
  webhook: IconWebhook,
}

const isEntry = (page: ListedPage): page is NavigationPage => 'navigation' in page

/** Hide links that the server would refuse; the server decides. */
const mayOpen = (person: Profile, access: PageDefinition['access']) =>
  (access !== 'reviewer' && access !== 'administrator') || person.roleIds.includes(access)

/** Return the entries that this account sees, of one place or of all, in the order of the pages. */
export const entriesFor = (person: Profile, place?: Place): readonly NavigationPage[] =>
  pages
    .filter(isEntry)
    .filter(({ access, navigation }) => mayOpen(person, access) && (place ?? navigation.place) === navigation.place)

/** The places besides the main one. They are entered by a link, and have a navigation of their own. */
const otherPlaces = [
  { place: 'developers', Icon: IconCode, prefixes: ['/developers', '/webhooks/'] },
  { place: 'administration', Icon: IconBuilding, prefixes: ['/administration', '/reviews'] },
] as const

/** Return the other places that this account may enter, each with its first page. */
export const otherPlacesFor = (person: Profile) =>
  otherPlaces.flatMap(({ place, Icon }) =>
    entriesFor(person, place)
      .slice(0, 1)
      .map(({ path }) => ({ place, Icon, path })),
  )

/** The place that a page belongs to, by its path. */
export const placeAt = (path: string): (typeof otherPlaces)[number]['place'] | 'main' =>
  otherPlaces.find(({ prefixes }) => prefixes.some((prefix) => path.startsWith(prefix)))?.place ?? 'main'
