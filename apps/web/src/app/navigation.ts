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
} from '@tabler/icons-react'
import type { Texts } from '../texts/texts.ts'
import type { Address } from './addresses.ts'

type NavigationEntry = {
  /** Its name is the text `navigation.pages.{name}`. */
  name: keyof Texts['app']['navigation']['pages']
  to: Address
  icon: typeof IconCalendar
  /** The server decides; this only leaves out what would be refused. */
  isFor(person: Profile): boolean
}

const isAdministrator = ({ roleIds }: Profile) => roleIds.includes('administrator')

/** What the side shows, in this order, to whom it concerns. */
export const navigation: readonly NavigationEntry[] = [
  { name: 'meetings', to: '/meetings', icon: IconListDetails, isFor: () => true },
  { name: 'calendar', to: '/calendar', icon: IconCalendar, isFor: () => true },
  { name: 'profile', to: '/profile', icon: IconUser, isFor: () => true },
  { name: 'security', to: '/security', icon: IconShieldLock, isFor: () => true },
  { name: 'connectedApps', to: '/connected-apps', icon: IconPlugConnected, isFor: () => true },
  { name: 'developers', to: '/developers', icon: IconCode, isFor: () => true },
  { name: 'reviews', to: '/reviews', icon: IconChecklist, isFor: ({ roleIds }) => roleIds.includes('reviewer') },
  { name: 'accounts', to: '/administration/accounts', icon: IconUsers, isFor: isAdministrator },
  { name: 'allApps', to: '/administration/apps', icon: IconApps, isFor: isAdministrator },
  { name: 'auditLog', to: '/administration/audit-log', icon: IconHistory, isFor: isAdministrator },
]
