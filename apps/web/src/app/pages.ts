import type { Noun } from '@parley/texts/nouns'
import { readAccountSearch } from '../administration/account-search.ts'
import { readAppSorting } from '../administration/administered-app-search.ts'
import { readAuditSearch } from '../administration/audit-search.ts'
import { readAppSearch } from '../apps/app-search.ts'
import {
  readCalendarSearch,
  readEditMeetingSearch,
  readMeetingDateSearch,
  readMeetingSearch,
  readNewMeetingSearch,
} from '../meetings/search-params.ts'
import { readReviewSearch } from '../reviews/review-search.ts'
import { returnAddress } from '../session/return-address.ts'
import { readWebhookSearch } from '../webhooks/webhook-search.ts'

/** Who may open a page. The server enforces it as well. */
export type PageAccess =
  | 'public'
  /** Anybody, until the first account exists. */
  | 'first-run'
  | 'signed-in'
  | 'reviewer'
  | 'administrator'

export type PageDefinition = {
  /** A pattern, with `$` before its parameters. The server answers 200 for these and 404 for all others. */
  path: `/${string}`
  access: PageAccess
  /** Has the frame of public pages although it requires a session. */
  frame?: 'public'
  /** Fetch the component; its props are none. */
  page(): Promise<() => void>
  /** Texts of the page besides those that every page has. */
  texts: readonly Noun[]
  /** Parse the search parameters; drop unknown values. */
  search?(sent: Record<string, unknown>): object
  /** What is read before the page is shown, because its layout depends on it. */
  reads?: 'session' | 'service' | 'start-page'
  /**
   * The entry in the navigation of a place: the sidebar for `main`, `developers` and `administration`, the account menu
   * for `account`, the tabs for `settings`. Its label is the text `navigation.pages.{name}` of `app`.
   */
  navigation?: {
    place: 'main' | 'account' | 'settings' | 'developers' | 'administration'
    name: string
    icon: string
  }
}

/** The path to go to after signing in; addresses of other sites are dropped. */
function readNextSearch({ next }: Record<string, unknown>): { next?: string } {
  const address = returnAddress(next, window.location.origin)
  return address === undefined ? {} : { next: address }
}

/**
 * Every page, once: the routes, the navigation and the addresses that the server answers come from this table. Each
 * place's navigation has its entries in this order.
 */
export const pages = [
  // Signing in

  {
    path: '/welcome',
    access: 'first-run',
    page: async () => (await import('../sign-in/SignUpPage.tsx')).WelcomePage,
    texts: ['accounts'],
  },
  {
    path: '/sign-in',
    access: 'public',
    page: async () => (await import('../sign-in/SignInPage.tsx')).SignInPage,
    texts: ['accounts'],
    search: readNextSearch,
    reads: 'service',
  },
  {
    path: '/sign-up',
    access: 'public',
    page: async () => (await import('../sign-in/SignUpPage.tsx')).SignUpPage,
    texts: ['accounts'],
    search: readNextSearch,
    reads: 'service',
  },
  {
    path: '/reset-password',
    access: 'public',
    page: async () => (await import('../sign-in/ResetPasswordPage.tsx')).ResetPasswordPage,
    texts: ['accounts'],
    search: readNextSearch,
    reads: 'service',
  },
  {
    path: '/verify-email',
    access: 'public',
    page: async () => (await import('../sign-in/VerifyEmailPage.tsx')).VerifyEmailPage,
    texts: ['accounts'],
    reads: 'service',
  },

  // Joining

  {
    path: '/j/$code',
    access: 'public',
    page: async () => (await import('../join/JoinPage.tsx')).JoinPage,
    texts: ['join', 'room'],
    reads: 'session',
  },
  {
    path: '/join',
    access: 'public',
    page: async () => (await import('../join/JoinByCodePage.tsx')).JoinByCodePage,
    texts: ['join'],
    reads: 'session',
  },
  {
    path: '/start',
    access: 'signed-in',
    frame: 'public',
    page: async () => (await import('../join/StartPage.tsx')).StartPage,
    texts: ['meetings', 'join', 'room'],
  },
  {
    path: '/add/$code',
    access: 'signed-in',
    page: async () => (await import('../join/AddPage.tsx')).AddPage,
    texts: ['join'],
  },

  {
    path: '/help',
    access: 'public',
    page: async () => (await import('../help/HelpPage.tsx')).HelpPage,
    texts: ['help'],
  },

  // Meetings

  {
    path: '/meetings',
    access: 'signed-in',
    page: async () => (await import('../meetings/list/MeetingsPage.tsx')).MeetingsPage,
    texts: ['meetings'],
    search: readMeetingSearch,
    reads: 'start-page',
    navigation: { place: 'main', name: 'meetings', icon: 'list' },
  },
  {
    path: '/calendar',
    access: 'signed-in',
    page: async () => (await import('../meetings/calendar/CalendarPage.tsx')).CalendarPage,
    texts: ['meetings', 'occurrence', 'settings'],
    search: readCalendarSearch,
    navigation: { place: 'main', name: 'calendar', icon: 'calendar' },
  },
  {
    path: '/meetings/new',
    access: 'signed-in',
    page: async () => (await import('../meetings/schedule/NewMeetingPage.tsx')).NewMeetingPage,
    texts: ['schedule'],
    search: readNewMeetingSearch,
  },
  {
    path: '/meetings/$meetingId',
    access: 'signed-in',
    page: async () => (await import('../meetings/page/MeetingPage.tsx')).MeetingPage,
    texts: ['meetings', 'meeting', 'schedule', 'occurrence'],
    search: readMeetingDateSearch,
  },
  {
    path: '/meetings/$meetingId/edit',
    access: 'signed-in',
    page: async () => (await import('../meetings/schedule/EditMeetingPage.tsx')).EditMeetingPage,
    texts: ['schedule', 'occurrence'],
    search: readEditMeetingSearch,
  },

  // The account’s settings and connected apps

  {
    path: '/settings/profile',
    access: 'signed-in',
    page: async () => (await import('../settings/ProfileSettings.tsx')).ProfileSettings,
    texts: ['settings', 'accounts', 'schedule'],
    navigation: { place: 'settings', name: 'profile', icon: 'person' },
  },
  {
    path: '/settings/meetings',
    access: 'signed-in',
    page: async () => (await import('../settings/MeetingSettings.tsx')).MeetingSettings,
    texts: ['settings', 'schedule'],
    navigation: { place: 'settings', name: 'meetingSettings', icon: 'video' },
  },
  {
    path: '/settings/notifications',
    access: 'signed-in',
    page: async () => (await import('../settings/NotificationSettings.tsx')).NotificationSettings,
    texts: ['settings'],
    navigation: { place: 'settings', name: 'notificationSettings', icon: 'bell' },
  },
  {
    path: '/settings/calendar',
    access: 'signed-in',
    page: async () => (await import('../settings/CalendarSettings.tsx')).CalendarSettings,
    texts: ['settings'],
    navigation: { place: 'settings', name: 'calendarSettings', icon: 'calendar' },
  },
  {
    path: '/settings/security',
    access: 'signed-in',
    page: async () => (await import('../security/SecuritySettings.tsx')).SecuritySettings,
    texts: ['settings', 'security', 'accounts', 'connected-apps'],
    navigation: { place: 'settings', name: 'security', icon: 'lock' },
  },
  {
    path: '/settings/developer',
    access: 'signed-in',
    page: async () => (await import('../security/DeveloperSettings.tsx')).DeveloperSettings,
    texts: ['settings', 'security', 'connected-apps', 'scopes'],
    navigation: { place: 'settings', name: 'developerSettings', icon: 'code' },
  },
  {
    path: '/connected-apps',
    access: 'signed-in',
    page: async () => (await import('../connected-apps/ConnectedAppsPage.tsx')).ConnectedAppsPage,
    texts: ['connected-apps', 'scopes'],
    navigation: { place: 'account', name: 'connectedApps', icon: 'plug' },
  },

  // Webhooks of people, apps and the organisation

  {
    path: '/webhooks/$webhookId',
    access: 'signed-in',
    page: async () => (await import('../webhooks/WebhookPage.tsx')).WebhookPage,
    texts: ['webhooks'],
    search: readWebhookSearch,
  },

  // Developers

  {
    path: '/developers',
    access: 'signed-in',
    page: async () => (await import('../apps/DevelopersPage.tsx')).DevelopersPage,
    texts: ['apps', 'scopes'],
    navigation: { place: 'developers', name: 'ownApps', icon: 'apps' },
  },
  {
    path: '/developers/webhooks',
    access: 'signed-in',
    page: async () => (await import('../webhooks/WebhookList.tsx')).PersonalWebhooksPage,
    texts: ['webhooks'],
    navigation: { place: 'developers', name: 'ownWebhooks', icon: 'webhook' },
  },
  {
    path: '/developers/new',
    access: 'signed-in',
    page: async () => (await import('../apps/form/NewAppPage.tsx')).NewAppPage,
    texts: ['apps', 'scopes'],
  },
  {
    path: '/developers/$appId',
    access: 'signed-in',
    page: async () => (await import('../apps/AppPage.tsx')).AppPage,
    texts: ['apps', 'scopes', 'webhooks'],
    search: readAppSearch,
  },
  {
    path: '/developers/$appId/edit',
    access: 'signed-in',
    page: async () => (await import('../apps/form/EditAppPage.tsx')).EditAppPage,
    texts: ['apps', 'scopes'],
  },
  {
    path: '/developers/$appId/playground',
    access: 'signed-in',
    page: async () => (await import('../apps/playground/PlaygroundPage.tsx')).PlaygroundPage,
    texts: ['apps', 'scopes', 'webhooks'],
  },
  {
    // Opened in a separate window, regardless of the account that is signed in there.
    path: '/developers/playground/callback',
    access: 'public',
    page: async () => (await import('../apps/playground/PlaygroundCallbackPage.tsx')).PlaygroundCallbackPage,
    texts: ['apps', 'scopes'],
  },

  // Reviewers and administrators

  {
    path: '/reviews',
    access: 'reviewer',
    page: async () => (await import('../reviews/ReviewsPage.tsx')).ReviewsPage,
    texts: ['reviews', 'apps', 'scopes'],
    search: readReviewSearch,
    navigation: { place: 'administration', name: 'reviews', icon: 'checklist' },
  },
  {
    path: '/reviews/$appId',
    access: 'reviewer',
    page: async () => (await import('../reviews/ReviewPage.tsx')).ReviewPage,
    texts: ['reviews', 'apps', 'scopes'],
  },
  {
    path: '/administration/accounts',
    access: 'administrator',
    page: async () => (await import('../administration/AccountsPage.tsx')).AccountsPage,
    texts: ['administration', 'security', 'accounts'],
    search: readAccountSearch,
    reads: 'service',
    navigation: { place: 'administration', name: 'accounts', icon: 'people' },
  },
  {
    path: '/administration/organisation',
    access: 'administrator',
    page: async () => (await import('../administration/OrganisationPage.tsx')).OrganisationPage,
    texts: ['administration', 'violations'],
    navigation: { place: 'administration', name: 'organisation', icon: 'building' },
  },
  {
    path: '/administration/apps',
    access: 'administrator',
    page: async () => (await import('../administration/AllAppsPage.tsx')).AllAppsPage,
    texts: ['administration', 'reviews', 'apps', 'scopes'],
    search: readAppSorting,
    navigation: { place: 'administration', name: 'allApps', icon: 'apps' },
  },
  {
    path: '/administration/apps/$appId',
    access: 'administrator',
    page: async () => (await import('../administration/AdministeredAppPage.tsx')).AdministeredAppPage,
    texts: ['administration', 'reviews', 'apps', 'scopes'],
  },
  {
    path: '/administration/webhooks',
    access: 'administrator',
    page: async () => (await import('../webhooks/WebhookList.tsx')).OrganisationWebhooksPage,
    texts: ['webhooks'],
    navigation: { place: 'administration', name: 'webhooks', icon: 'webhook' },
  },
  {
    path: '/administration/audit-log',
    access: 'administrator',
    page: async () => (await import('../administration/AuditLogPage.tsx')).AuditLogPage,
    texts: ['administration', 'security'],
    search: readAuditSearch,
    navigation: { place: 'administration', name: 'auditLog', icon: 'history' },
  },
  {
    path: '/administration/set-up',
    access: 'administrator',
    page: async () => (await import('../administration/SetUpPage.tsx')).SetUpPage,
    texts: ['administration'],
    reads: 'service',
    navigation: { place: 'administration', name: 'setUp', icon: 'rocket' },
  },
] as const satisfies readonly PageDefinition[]

/** Each page's own type, for the types of routes and links. */
export type ListedPage = (typeof pages)[number]

/** Former addresses of pages, which people have in bookmarks and emails, and an address that people type. */
export const movedPages = [
  { path: '/security/webhooks', to: '/developers/webhooks' },
  { path: '/profile', to: '/settings/profile' },
  { path: '/security', to: '/settings/security' },
  { path: '/settings', to: '/settings/profile' },
] as const

/** The page that `/` leads to. */
export const startPage = '/meetings'

/** What the server answers with the web app. The build writes them to a file, from Node, without React. */
export const addresses: readonly string[] = ['/', ...[...pages, ...movedPages].map(({ path }) => path)]
