import type { Profile } from '@parley/contract'
import type { Texts } from '@parley/texts/nouns'
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
import type { Address } from './addresses.ts'

type NavigationEntry = {
  /** The label is the text `navigation.pages.{name}`. */
  name: keyof Texts['app']['navigation']['pages']
  to: Address
  icon: typeof IconCalendar
  /** Hides links that the server would refuse; the server decides. */
  isFor(person: Profile): boolean
}

const isAdministrator = ({ roleIds }: Profile) => roleIds.includes('administrator')

type NavigationGroup = {
  /** The label is the text `navigation.groups.{name}`. */
  name: keyof Texts['app']['navigation']['groups']
  entries: readonly NavigationEntry[]
}

const isReviewer = ({ roleIds }: Profile) => roleIds.includes('reviewer')
const everyone = () => true

/** The navigation's groups in order, with the roles that see them. */
const groups: readonly NavigationGroup[] = [
  {
    name: 'meetings',
    entries: [
      { name: 'meetings', to: '/meetings', icon: IconListDetails, isFor: everyone },
      { name: 'calendar', to: '/calendar', icon: IconCalendar, isFor: everyone },
    ],
  },
  {
    name: 'account',
    entries: [
      { name: 'profile', to: '/profile', icon: IconUser, isFor: everyone },
      { name: 'security', to: '/security', icon: IconShieldLock, isFor: everyone },
      { name: 'connectedApps', to: '/connected-apps', icon: IconPlugConnected, isFor: everyone },
    ],
  },
  {
    name: 'developers',
    entries: [{ name: 'developers', to: '/developers', icon: IconCode, isFor: everyone }],
  },
  {
    name: 'administration',
    entries: [
      { name: 'reviews', to: '/reviews', icon: IconChecklist, isFor: isReviewer },
      { name: 'accounts', to: '/administration/accounts', icon: IconUsers, isFor: isAdministrator },
      { name: 'allApps', to: '/administration/apps', icon: IconApps, isFor: isAdministrator },
      { name: 'webhooks', to: '/administration/webhooks', icon: IconWebhook, isFor: isAdministrator },
      { name: 'auditLog', to: '/administration/audit-log', icon: IconHistory, isFor: isAdministrator },
    ],
  },
]

/** Return the groups that this account sees, without empty ones. */
export const navigationFor = (person: Profile): readonly NavigationGroup[] =>
  groups
    .map(({ name, entries }) => ({ name, entries: entries.filter(({ isFor }) => isFor(person)) }))
    .filter(({ entries }) => entries.length > 0)
