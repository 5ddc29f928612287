import type { Profile } from '@parley/contract'
import {
  IconApps,
  IconCalendar,
  IconChecklist,
  IconCode,
  IconHistory,
  IconListDetails,
  IconPlugConnected,
  IconShieldLock,
  IconUser,
  IconUsers,
  IconWebhook,
} from '@tabler/icons-react'
import { type ListedPage, type PageDefinition, pages } from './pages.ts'

type NavigationPage = Extract<ListedPage, { navigation: object }>

/** The icons by their names in the table of pages, which is free of React. */
export const navigationIcons: Record<NavigationPage['navigation']['icon'], typeof IconCalendar> = {
  apps: IconApps,
  calendar: IconCalendar,
  checklist: IconChecklist,
  code: IconCode,
  history: IconHistory,
  list: IconListDetails,
  lock: IconShieldLock,
  people: IconUsers,
  person: IconUser,
  plug: IconPlugConnected,
  webhook: IconWebhook,
}

type NavigationGroup = { name: NavigationPage['navigation']['group']; entries: readonly NavigationPage[] }

const isEntry = (page: ListedPage): page is NavigationPage => 'navigation' in page

/** Hide links that the server would refuse; the server decides. */
const mayOpen = (person: Profile, access: PageDefinition['access']) =>
  (access !== 'reviewer' && access !== 'administrator') || person.roleIds.includes(access)

/** Return the navigation's groups that this account sees, in the order of the pages. */
export function navigationFor(person: Profile): readonly NavigationGroup[] {
  const entries = pages.filter(isEntry).filter(({ access }) => mayOpen(person, access))
  return [...Map.groupBy(entries, ({ navigation }) => navigation.group)].map(([name, entries]) => ({ name, entries }))
}
