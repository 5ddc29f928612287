import type { Profile } from '@parley/contract'
import type { QueryClient } from '@tanstack/react-query'
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  notFound,
  type ResolveFullPath,
  type ResolveId,
  type Route,
  redirect,
} from '@tanstack/react-router'
import { startPageQuery } from '../meetings/list/list-queries.ts'
import { serviceQuery, sessionQuery } from '../session/session.ts'
import { loadTexts } from '../texts/i18n.ts'
import { PageSkeleton } from '../ui/PageSkeleton.tsx'
import { AppLayout, SetUpPart } from './AppLayout.tsx'
import { ErrorPage, FramedErrorPage, FramedNotFoundPage, NotFoundPage } from './ErrorPage.tsx'
import { hiddenSetUp } from './hidden-set-up.ts'
import { PublicLayout } from './PublicFrame.tsx'
import { type ListedPage, movedPages, type PageDefinition, pages, startPage } from './pages.ts'
import { Root } from './Root.tsx'
import { withoutUnknownParameters } from './without-unknown-parameters.ts'

/** The routes of the pages in pages.ts. A page's code and texts are fetched when it is opened. */

type RouterContext = { queryClient: QueryClient }

const root = createRootRouteWithContext<RouterContext>()({
  component: Root,
  notFoundComponent: FramedNotFoundPage,
  errorComponent: FramedErrorPage,
})

const publicFrame = createRoute({
  getParentRoute: () => root,
  id: 'public',
  component: PublicLayout,
  errorComponent: FramedErrorPage,
})

const signedInFrame = createRoute({
  getParentRoute: () => root,
  id: 'signed-in',
  component: AppLayout,
  errorComponent: FramedErrorPage,
  // The layout names the person. The pages' own guards come after it.
  beforeLoad: async (visit) => {
    // The start page's request answers who is signed in as well.
    if (isStartPage(visit)) await visit.context.queryClient.prefetchQuery(startPageQuery)
    await requirePerson(visit)
  },
})

const start = createRoute({
  getParentRoute: () => signedInFrame,
  path: '/',
  beforeLoad: () => {
    throw redirect({ to: startPage })
  },
})

const moved = movedPages.map(({ path, to }) =>
  createRoute({
    getParentRoute: () => root,
    path,
    beforeLoad: () => {
      throw redirect({ to, search: true, hash: true, replace: true })
    },
  }),
)

type Visit = { context: RouterContext; location: { pathname: string; searchStr: string; hash: string } }

const isStartPage = ({ location: { pathname } }: Visit) => pathname === '/' || pathname === startPage

/** Visitors without a session sign in first and then return to the page. */
async function requirePerson({ context: { queryClient }, location }: Visit): Promise<Profile> {
  const person = await queryClient.ensureQueryData(sessionQuery)
  if (person !== null) return person
  const { firstRun } = await queryClient.ensureQueryData(serviceQuery)
  if (firstRun) throw redirect({ to: '/welcome' })
  // The fragment may hold a PIN: it stays a fragment and is never put into the query.
  const requestedPath = location.pathname + location.searchStr
  const search = requestedPath === '/' ? {} : { next: requestedPath }
  throw redirect({ to: '/sign-in', search, ...(location.hash !== '' && { hash: location.hash }) })
}

/** The server enforces roles; the not-found page avoids a page full of errors. */
const requireRole = (role: 'reviewer' | 'administrator') => async (visit: Visit) => {
  const { roleIds } = await requirePerson(visit)
  if (!roleIds.includes(role)) throw notFound()
}

const guards: Record<PageDefinition['access'], (visit: Visit) => Promise<unknown>> = {
  public: async () => {},
  'first-run': async ({ context: { queryClient } }) => {
    const { firstRun } = await queryClient.ensureQueryData(serviceQuery)
    if (!firstRun) throw redirect({ to: '/' })
  },
  'signed-in': requirePerson,
  reviewer: requireRole('reviewer'),
  administrator: requireRole('administrator'),
}

const reads: Record<NonNullable<PageDefinition['reads']>, (queryClient: QueryClient) => Promise<unknown>> = {
  session: (queryClient) => queryClient.ensureQueryData(sessionQuery),
  service: (queryClient) => queryClient.ensureQueryData(serviceQuery),
  // On failure the page asks for each part, and shows the error.
  'start-page': (queryClient) => Promise.all([queryClient.prefetchQuery(startPageQuery), loadSetUpNotice(queryClient)]),
}

/** Fetch the checklist of an administrator with the start page, which it would push down later. */
async function loadSetUpNotice(queryClient: QueryClient): Promise<void> {
  const person = queryClient.getQueryData(sessionQuery.queryKey)
  if (!person?.roleIds.includes('administrator')) return
  const loadFacts = async () => {
    const { setUpQuery } = await import('../administration/set-up-queries.ts')
    await queryClient.prefetchQuery(setUpQuery)
  }
  const shown = hiddenSetUp.read() === null ? [loadFacts(), loadTexts('administration')] : []
  // On failure the start page is shown without it.
  await Promise.allSettled([SetUpPart.preload?.(), ...shown])
}

type Frame = typeof publicFrame | typeof signedInFrame

/** The type of a page's route: its path with its parameters, and its search parameters. */
type RouteOf<Parent extends Frame, Listed> = Listed extends { path: `/${string}` }
  ? Route<
      unknown,
      Parent,
      Listed['path'],
      ResolveFullPath<Parent, Listed['path']>,
      string,
      ResolveId<Parent, string, Listed['path']>,
      Listed extends { search(sent: infer Sent): infer Search } ? (sent: Sent) => Search : undefined
    >
  : never

function routesOf<Parent extends Frame, Listed>(parent: Parent, listed: readonly PageDefinition[]) {
  const routes = listed.map(({ path, access, search, texts, reads: read, page }) =>
    createRoute({
      getParentRoute: () => parent,
      path,
      ...(search !== undefined && { validateSearch: withoutUnknownParameters(search) }),
      beforeLoad: guards[access],
      loader: ({ context: { queryClient } }: { context: RouterContext }) =>
        Promise.all([loadTexts(...texts), read !== undefined && reads[read](queryClient)]),
      component: lazyRouteComponent(async () => ({ default: await page() })),
    }),
  )
  // An array forgets which route has which path; the table's type still knows.
  return routes as unknown as RouteOf<Parent, Listed>[]
}

type PublicPage = Extract<ListedPage, { access: 'public' | 'first-run' } | { frame: 'public' }>
const isPublic = ({ access, frame }: PageDefinition) =>
  access === 'public' || access === 'first-run' || frame === 'public'
const { publicPages = [], signedInPages = [] } = Object.groupBy<'publicPages' | 'signedInPages', PageDefinition>(
  pages,
  (page) => (isPublic(page) ? 'publicPages' : 'signedInPages'),
)

const routeTree = root.addChildren([
  publicFrame.addChildren(routesOf<typeof publicFrame, PublicPage>(publicFrame, publicPages)),
  signedInFrame.addChildren([
    start,
    ...routesOf<typeof signedInFrame, Exclude<ListedPage, PublicPage>>(signedInFrame, signedInPages),
  ]),
  // Left out of the types of links: links use the present addresses.
  ...(moved as []),
])

export type AppRouter = ReturnType<typeof createAppRouter>

export function createAppRouter(queryClient: QueryClient) {
  return createRouter({
    routeTree,
    context: { queryClient },
    defaultErrorComponent: ErrorPage,
    defaultNotFoundComponent: NotFoundPage,
    defaultPendingComponent: PageSkeleton,
    defaultPreload: 'intent',
    scrollRestoration: true,
  })
}

declare module '@tanstack/react-router' {
  interface Register {
    router: AppRouter
  }
}
