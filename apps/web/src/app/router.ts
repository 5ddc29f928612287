import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from '@tanstack/react-router'
import { readAccountSearch } from '../accounts/account-search.ts'
import { readAuditSearch } from '../accounts/audit-search.ts'
import { readAppSearch } from '../apps/app-search.ts'
import { anyMeetingQuery } from '../meetings/queries.ts'
import {
  readCalendarSearch,
  readEditMeetingSearch,
  readMeetingDateSearch,
  readMeetingSearch,
  readNewMeetingSearch,
} from '../meetings/search-params.ts'
import { readReviewSearch } from '../reviews/review-search.ts'
import { requireRole } from '../session/require-role.ts'
import { returnAddress } from '../session/return-address.ts'
import { serviceQuery, sessionQuery } from '../session/session.ts'
import { loadTexts } from '../texts/i18n.ts'
import { PageSkeleton } from '../ui/PageSkeleton.tsx'
import { readWebhookSearch } from '../webhooks/webhook-search.ts'
import { AppLayout } from './AppLayout.tsx'
import type { Address } from './addresses.ts'
import { ErrorPage } from './ErrorPage.tsx'
import { FramedErrorPage, FramedNotFoundPage } from './FramedPages.tsx'
import { NotFoundPage } from './NotFoundPage.tsx'
import { PublicLayout } from './PublicLayout.tsx'
import { Root } from './Root.tsx'
import { withoutUnknownParameters } from './without-unknown-parameters.ts'

/** The list of all pages. A page's code and texts are fetched when it is opened. */

const root = createRootRouteWithContext<{ queryClient: QueryClient }>()({
  component: Root,
  notFoundComponent: FramedNotFoundPage,
  errorComponent: FramedErrorPage,
})

/** Pages that need no sign-in. */
const entrance = createRoute({
  getParentRoute: () => root,
  id: 'entrance',
  component: PublicLayout,
  errorComponent: FramedErrorPage,
})

/** Pages that require a session. Visitors without one sign in first and then return to the page. */
const house = createRoute({
  getParentRoute: () => root,
  id: 'house',
  component: AppLayout,
  errorComponent: FramedErrorPage,
  beforeLoad: async ({ context: { queryClient }, location }) => {
    const person = await queryClient.ensureQueryData(sessionQuery)
    if (person !== null) return { person }
    const { firstRun } = await queryClient.ensureQueryData(serviceQuery)
    if (firstRun) throw redirect({ to: '/welcome' })
    // The fragment may hold a PIN: it stays a fragment and is never put into the query.
    const requestedPath = location.pathname + location.searchStr
    const search = requestedPath === '/' ? {} : { next: requestedPath }
    throw redirect({ to: '/sign-in', search, ...(location.hash !== '' && { hash: location.hash }) })
  },
})

// Joining and signing in

const start = createRoute({
  getParentRoute: () => house,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: '/meetings' })
  },
})

const welcome = createRoute({
  getParentRoute: () => entrance,
  path: '/welcome',
  beforeLoad: async ({ context: { queryClient } }) => {
    const { firstRun } = await queryClient.ensureQueryData(serviceQuery)
    if (!firstRun) throw redirect({ to: '/' })
  },
  loader: () => loadTexts('accounts'),
  component: lazyRouteComponent(() => import('../sign-in/SignUpPage.tsx'), 'WelcomePage'),
})

/** The path to go to after signing in; addresses of other sites are dropped. */
const validateSearch = withoutUnknownParameters(({ next }): { next?: string } => {
  const address = returnAddress(next, window.location.origin)
  return address === undefined ? {} : { next: address }
})

const signIn = createRoute({
  getParentRoute: () => entrance,
  path: '/sign-in',
  validateSearch,
  loader: ({ context: { queryClient } }) =>
    Promise.all([loadTexts('accounts'), queryClient.ensureQueryData(serviceQuery)]),
  component: lazyRouteComponent(() => import('../sign-in/SignInPage.tsx'), 'SignInPage'),
})

const signUp = createRoute({
  getParentRoute: () => entrance,
  path: '/sign-up',
  validateSearch,
  loader: ({ context: { queryClient } }) =>
    Promise.all([loadTexts('accounts'), queryClient.ensureQueryData(serviceQuery)]),
  component: lazyRouteComponent(() => import('../sign-in/SignUpPage.tsx'), 'SignUpPage'),
})

const resetPassword = createRoute({
  getParentRoute: () => entrance,
  path: '/reset-password',
  validateSearch,
  loader: ({ context: { queryClient } }) =>
    Promise.all([loadTexts('accounts'), queryClient.ensureQueryData(serviceQuery)]),
  component: lazyRouteComponent(() => import('../sign-in/ResetPasswordPage.tsx'), 'ResetPasswordPage'),
})

const verifyEmail = createRoute({
  getParentRoute: () => entrance,
  path: '/verify-email',
  loader: ({ context: { queryClient } }) =>
    Promise.all([loadTexts('accounts'), queryClient.ensureQueryData(serviceQuery)]),
  component: lazyRouteComponent(() => import('../sign-in/VerifyEmailPage.tsx'), 'VerifyEmailPage'),
})

// Meetings

const meetings = createRoute({
  getParentRoute: () => house,
  path: '/meetings',
  validateSearch: withoutUnknownParameters(readMeetingSearch),
  // Fetched before the page is rendered, which avoids a layout shift. On failure the page shows the error.
  loader: ({ context: { queryClient } }) =>
    Promise.all([loadTexts('meetings'), queryClient.prefetchQuery(anyMeetingQuery)]),
  component: lazyRouteComponent(() => import('../meetings/list/MeetingsPage.tsx'), 'MeetingsPage'),
})

const meeting = createRoute({
  getParentRoute: () => house,
  path: '/meetings/$meetingId',
  validateSearch: withoutUnknownParameters(readMeetingDateSearch),
  loader: () => loadTexts('meetings', 'meeting', 'schedule', 'occurrence'),
  component: lazyRouteComponent(() => import('../meetings/page/MeetingPage.tsx'), 'MeetingPage'),
})

const newMeeting = createRoute({
  getParentRoute: () => house,
  path: '/meetings/new',
  validateSearch: withoutUnknownParameters(readNewMeetingSearch),
  loader: () => loadTexts('schedule'),
  component: lazyRouteComponent(() => import('../meetings/schedule/NewMeetingPage.tsx'), 'NewMeetingPage'),
})

const editMeeting = createRoute({
  getParentRoute: () => house,
  path: '/meetings/$meetingId/edit',
  validateSearch: withoutUnknownParameters(readEditMeetingSearch),
  loader: () => loadTexts('schedule', 'occurrence'),
  component: lazyRouteComponent(() => import('../meetings/schedule/EditMeetingPage.tsx'), 'EditMeetingPage'),
})

const calendar = createRoute({
  getParentRoute: () => house,
  path: '/calendar',
  validateSearch: withoutUnknownParameters(readCalendarSearch),
  loader: () => loadTexts('meetings', 'occurrence', 'profile'),
  component: lazyRouteComponent(() => import('../meetings/calendar/CalendarPage.tsx'), 'CalendarPage'),
})

const addByLink = createRoute({
  getParentRoute: () => house,
  path: '/add/$code',
  loader: () => loadTexts('join'),
  component: lazyRouteComponent(() => import('../join/AddPage.tsx'), 'AddPage'),
})

const join = createRoute({
  getParentRoute: () => entrance,
  path: '/j/$code',
  loader: ({ context: { queryClient } }) =>
    Promise.all([loadTexts('join', 'room'), queryClient.ensureQueryData(sessionQuery)]),
  component: lazyRouteComponent(() => import('../join/JoinPage.tsx'), 'JoinPage'),
})

const startMeeting = createRoute({
  getParentRoute: () => entrance,
  path: '/start',
  beforeLoad: async ({ context: { queryClient } }) => {
    if ((await queryClient.ensureQueryData(sessionQuery)) === null)
      throw redirect({ to: '/sign-in', search: { next: '/start' } })
  },
  loader: () => loadTexts('meetings', 'join', 'room'),
  component: lazyRouteComponent(() => import('../join/StartPage.tsx'), 'StartPage'),
})

const joinByCode = createRoute({
  getParentRoute: () => entrance,
  path: '/join',
  loader: ({ context: { queryClient } }) => Promise.all([loadTexts('join'), queryClient.ensureQueryData(sessionQuery)]),
  component: lazyRouteComponent(() => import('../join/JoinByCodePage.tsx'), 'JoinByCodePage'),
})

// Profile and security

const profile = createRoute({
  getParentRoute: () => house,
  path: '/profile',
  loader: () => loadTexts('profile', 'accounts', 'schedule', 'meetings'),
  component: lazyRouteComponent(() => import('../profile/ProfilePage.tsx'), 'ProfilePage'),
})

const security = createRoute({
  getParentRoute: () => house,
  path: '/security',
  loader: () => loadTexts('security', 'accounts', 'connected-apps', 'scopes'),
  component: lazyRouteComponent(() => import('../security/SecurityPage.tsx'), 'SecurityPage'),
})

const personalWebhooks = createRoute({
  getParentRoute: () => house,
  path: '/security/webhooks',
  loader: () => loadTexts('webhooks'),
  component: lazyRouteComponent(() => import('../webhooks/WebhookList.tsx'), 'PersonalWebhooksPage'),
})

const connectedApps = createRoute({
  getParentRoute: () => house,
  path: '/connected-apps',
  loader: () => loadTexts('connected-apps', 'scopes'),
  component: lazyRouteComponent(() => import('../connected-apps/ConnectedAppsPage.tsx'), 'ConnectedAppsPage'),
})

// Webhooks of people, apps and the organisation

const webhook = createRoute({
  getParentRoute: () => house,
  path: '/webhooks/$webhookId',
  validateSearch: withoutUnknownParameters(readWebhookSearch),
  loader: () => loadTexts('webhooks'),
  component: lazyRouteComponent(() => import('../webhooks/WebhookPage.tsx'), 'WebhookPage'),
})

// Developers

const developers = createRoute({
  getParentRoute: () => house,
  path: '/developers',
  loader: () => loadTexts('apps', 'scopes'),
  component: lazyRouteComponent(() => import('../apps/DevelopersPage.tsx'), 'DevelopersPage'),
})

const newApp = createRoute({
  getParentRoute: () => house,
  path: '/developers/new',
  loader: () => loadTexts('apps', 'scopes'),
  component: lazyRouteComponent(() => import('../apps/form/NewAppPage.tsx'), 'NewAppPage'),
})

const app = createRoute({
  getParentRoute: () => house,
  path: '/developers/$appId',
  validateSearch: withoutUnknownParameters(readAppSearch),
  loader: () => loadTexts('apps', 'scopes', 'webhooks'),
  component: lazyRouteComponent(() => import('../apps/AppPage.tsx'), 'AppPage'),
})

const editedApp = createRoute({
  getParentRoute: () => house,
  path: '/developers/$appId/edit',
  loader: () => loadTexts('apps', 'scopes'),
  component: lazyRouteComponent(() => import('../apps/form/EditAppPage.tsx'), 'EditAppPage'),
})

const playground = createRoute({
  getParentRoute: () => house,
  path: '/developers/$appId/playground',
  loader: () => loadTexts('apps', 'scopes', 'webhooks'),
  component: lazyRouteComponent(() => import('../apps/playground/PlaygroundPage.tsx'), 'PlaygroundPage'),
})

/** Opened in a separate window, regardless of the account that is signed in there. */
const playgroundCallback = createRoute({
  getParentRoute: () => entrance,
  path: '/developers/playground/callback',
  loader: () => loadTexts('apps', 'scopes'),
  component: lazyRouteComponent(
    () => import('../apps/playground/PlaygroundCallbackPage.tsx'),
    'PlaygroundCallbackPage',
  ),
})

// Reviewers and administrators

const reviews = createRoute({
  getParentRoute: () => house,
  path: '/reviews',
  beforeLoad: ({ context: { person } }) => requireRole(person, 'reviewer'),
  validateSearch: withoutUnknownParameters<ReturnType<typeof readReviewSearch>>(readReviewSearch),
  loader: () => loadTexts('reviews', 'apps', 'scopes'),
  component: lazyRouteComponent(() => import('../reviews/ReviewsPage.tsx'), 'ReviewsPage'),
})

const review = createRoute({
  getParentRoute: () => house,
  path: '/reviews/$appId',
  beforeLoad: ({ context: { person } }) => requireRole(person, 'reviewer'),
  loader: () => loadTexts('reviews', 'apps', 'scopes'),
  component: lazyRouteComponent(() => import('../reviews/ReviewPage.tsx'), 'ReviewPage'),
})

const accounts = createRoute({
  getParentRoute: () => house,
  path: '/administration/accounts',
  beforeLoad: ({ context: { person } }) => requireRole(person, 'administrator'),
  validateSearch: withoutUnknownParameters<ReturnType<typeof readAccountSearch>>(readAccountSearch),
  loader: ({ context: { queryClient } }) =>
    Promise.all([loadTexts('administration', 'security', 'accounts'), queryClient.ensureQueryData(serviceQuery)]),
  component: lazyRouteComponent(() => import('../accounts/AccountsPage.tsx'), 'AccountsPage'),
})

const allApps = createRoute({
  getParentRoute: () => house,
  path: '/administration/apps',
  beforeLoad: ({ context: { person } }) => requireRole(person, 'administrator'),
  loader: () => loadTexts('administration', 'reviews', 'apps', 'scopes'),
  component: lazyRouteComponent(() => import('../accounts/AllAppsPage.tsx'), 'AllAppsPage'),
})

const administeredApp = createRoute({
  getParentRoute: () => house,
  path: '/administration/apps/$appId',
  beforeLoad: ({ context: { person } }) => requireRole(person, 'administrator'),
  loader: () => loadTexts('administration', 'reviews', 'apps', 'scopes'),
  component: lazyRouteComponent(() => import('../accounts/AdministeredAppPage.tsx'), 'AdministeredAppPage'),
})

const auditLog = createRoute({
  getParentRoute: () => house,
  path: '/administration/audit-log',
  beforeLoad: ({ context: { person } }) => requireRole(person, 'administrator'),
  validateSearch: withoutUnknownParameters(readAuditSearch),
  loader: () => loadTexts('administration', 'security'),
  component: lazyRouteComponent(() => import('../accounts/AuditLogPage.tsx'), 'AuditLogPage'),
})

const organisationWebhooks = createRoute({
  getParentRoute: () => house,
  path: '/administration/webhooks',
  beforeLoad: ({ context: { person } }) => requireRole(person, 'administrator'),
  loader: () => loadTexts('webhooks'),
  component: lazyRouteComponent(() => import('../webhooks/WebhookList.tsx'), 'OrganisationWebhooksPage'),
})

const routeTree = root.addChildren([
  entrance.addChildren([
    welcome,
    signIn,
    signUp,
    resetPassword,
    verifyEmail,
    join,
    startMeeting,
    joinByCode,
    playgroundCallback,
  ]),
  house.addChildren([
    start,

    // Meetings
    meetings,
    meeting,
    calendar,
    addByLink,
    newMeeting,
    editMeeting,

    // Profile and security
    profile,
    security,
    personalWebhooks,
    connectedApps,

    // Webhooks of people, apps and the organisation
    webhook,

    // Developers
    developers,
    newApp,
    app,
    editedApp,
    playground,

    // Reviewers and administrators
    reviews,
    review,
    accounts,
    allApps,
    administeredApp,
    auditLog,
    organisationWebhooks,
  ]),
])

export type AppRouter = ReturnType<typeof createAppRouter>

export function createAppRouter(queryClient: QueryClient) {
  const router = createRouter({
    routeTree,
    context: { queryClient },
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    defaultPendingComponent: PageSkeleton,
    defaultPreload: 'intent',
    scrollRestoration: true,
  })
  // Fails to compile when addresses.ts and the routes list different pages.
  type Routed = keyof typeof router.routesByPath
  const listed: Record<Address, true> & Record<Routed, true> = {} as Record<Address & Routed, true>
  void listed
  return router
}

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
