import { Kbd, UnstyledButton } from '@mantine/core'
import { useDisclosure, useLocalStorage, useMediaQuery } from '@mantine/hooks'
import { IconLayoutSidebar, IconMenu2, IconPlus, IconSearch } from '@tabler/icons-react'
import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import { Link, lazyRouteComponent, Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useSessionExpired } from '../session/expiry.ts'
import { serviceQuery, usePerson } from '../session/session.ts'
import { afterPaint } from '../ui/after-paint.ts'
import { Optional } from '../ui/Optional.tsx'
import { PageSkeleton } from '../ui/PageSkeleton.tsx'
import { Portrait } from '../ui/Portrait.tsx'
import classes from './AppLayout.module.css'
import { Brand } from './Brand.tsx'
import { openSearch } from './commands/search-state.ts'
import navigationClasses from './Navigation.module.css'
import { BottomBar, Navigation } from './Navigation.tsx'
import { startPage } from './pages.ts'

// Fetched once the page is on the screen: a menu brings more code than the rest of the frame.
const NotificationBell = lazy(async () => {
  await afterPaint()
  return { default: (await import('../notifications/NotificationBell.tsx')).NotificationBell }
})
const PersonMenu = lazy(async () => {
  await afterPaint()
  return { default: (await import('./PersonMenu.tsx')).PersonMenu }
})
const NavigationDrawer = lazy(async () => ({ default: (await import('./NavigationDrawer.tsx')).NavigationDrawer }))
const SignInAgain = lazy(async () => ({ default: (await import('./SignInAgain.tsx')).SignInAgain }))

/**
 * Loaded by the route of the start page before it is shown. One of React's own lazy components would still suspend once:
 * a skeleton would be painted, and kept for the 300 ms that React leaves between two states of loading.
 */
export const SetUpPart = lazyRouteComponent(() => import('./SetUpNotice.tsx'), 'SetUpNotice')

/** From this width on there is room for a sidebar with names; AppLayout.module.css has the same. */
const wideScreen = '(min-width: 62em)'

/** A form has its buttons at the lower edge. */
const isForm = (path: string) => /^\/meetings\/(new$|.+\/edit$)/.test(path)

/** The layout of signed-in pages: a sidebar, which is icons only when folded and on tablets, and a bar on phones. */
export function AppLayout() {
  const { t } = useTranslation()
  const expired = useSessionExpired()
  useWorkAfterLoad(!expired)
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const [drawerOpened, { open, close }] = useDisclosure(false)
  const [folded, setFolded] = useLocalStorage({
    key: 'parley-navigation-folded',
    defaultValue: false,
    getInitialValueInEffect: false,
  })
  const isWide = useMediaQuery(wideScreen, undefined, { getInitialValueInEffect: false })
  const withBar = !isForm(path)
  // Within the Suspense of the page, which is not pushed down by it.
  const withSetUp = usePerson().roleIds.includes('administrator') && path === startPage
  return (
    <div className={classes.layout} data-folded={folded || undefined} data-bar={withBar || undefined}>
      <header className={classes.top}>
        <div className={classes.start}>
          <UnstyledButton
            className={classes.fold}
            aria-label={t(isWide && !folded ? 'navigation.fold' : 'navigation.unfold')}
            onClick={() => (isWide ? setFolded(!folded) : open())}
          >
            <IconLayoutSidebar size={20} aria-hidden />
          </UnstyledButton>
          <Brand isCompact />
        </div>
        <UnstyledButton className={classes.search} onClick={openSearch}>
          <IconSearch size={18} aria-hidden />
          <span className={classes.prompt}>{t('commands.title')}</span>
          <Kbd className={classes.keys}>Ctrl K</Kbd>
        </UnstyledButton>
        <div className={classes.end}>
          <Optional>
            <NotificationBell />
          </Optional>
          <Optional instead={<OwnPortrait />}>
            <PersonMenu />
          </Optional>
        </div>
      </header>
      <aside className={classes.side}>
        <Navigation folded={folded || !isWide} />
      </aside>
      <Suspense fallback={null}>{drawerOpened && <NavigationDrawer onClose={close} />}</Suspense>
      <Optional>{expired && <SignInAgain />}</Optional>
      <main id="content" tabIndex={-1} className={classes.content}>
        <Suspense fallback={<PageSkeleton />}>
          {withSetUp && (
            <Optional withPage>
              <SetUpPart />
            </Optional>
          )}
          <Outlet />
        </Suspense>
      </main>
      {withBar && (
        <div className={classes.bar}>
          <BottomBar>
            <Link to="/meetings/new" className={navigationClasses.tab}>
              <IconPlus size={22} aria-hidden />
              {t('navigation.new')}
            </Link>
            <UnstyledButton className={navigationClasses.tab} onClick={open}>
              <IconMenu2 size={22} aria-hidden />
              {t('navigation.more')}
            </UnstyledButton>
          </BottomBar>
        </div>
      )}
    </div>
  )
}

/** After what the page loads and shows first. */
const workAfterMs = 1_500
/** Pause after a part of the page could not be fetched. */
const fetchAgainAfterMs = 15_000

/**
 * While there is a session, have the pages follow what other people and other browsers change, and prepare the page that
 * is shown without a network.
 */
function useWorkAfterLoad(isSignedIn: boolean) {
  const queryClient = useQueryClient()
  const { _id: accountId } = usePerson()
  const { language } = useTranslation().i18n
  // Parts of the pages depend on the facts about mail, and need not wait for them then.
  useEffect(() => void queryClient.prefetchQuery(serviceQuery), [queryClient])
  useEffect(() => {
    if (!isSignedIn) return
    const timer = setTimeout(() => void prepareServiceWorker(queryClient, accountId, language), workAfterMs)
    return () => clearTimeout(timer)
  }, [queryClient, accountId, isSignedIn, language])
  useEffect(() => {
    if (!isSignedIn) return
    const ending = new AbortController()
    const { signal } = ending
    let timer = setTimeout(() => void follow(), workAfterMs)
    const follow = async (isLate = false) => {
      // The network or the service may be away.
      const part = await import('./follow-changes.ts').catch(() => undefined)
      if (part === undefined && !signal.aborted) timer = setTimeout(() => void follow(true), fetchAgainAfterMs)
      if (part === undefined) return
      // What has changed meanwhile is not known.
      if (isLate) void queryClient.invalidateQueries()
      await part.followChanges(queryClient, signal)
    }
    return () => {
      clearTimeout(timer)
      ending.abort()
    }
  }, [queryClient, isSignedIn])
}

/** When the browser has nothing else to do: what it fetches here is for later. */
async function prepareServiceWorker(queryClient: QueryClient, accountId: string, language: string) {
  if ('requestIdleCallback' in window) await new Promise((idle) => requestIdleCallback(idle))
  // What fails, the next page tries again.
  const device = await import('../session/device-notifications.ts').catch(() => undefined)
  if (device === undefined) return
  await device.keepDevice(accountId, language).catch(() => undefined)
  await queryClient.invalidateQueries({ queryKey: device.deviceStateKey })
}

/** Holds the place of the account menu. */
function OwnPortrait() {
  const { avatar, name, lname, imageMeta } = usePerson()
  return <Portrait number={avatar} name={name} lastName={lname} photo={imageMeta.filePath} />
}
