import { Burger, Button, Group, Kbd } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { Outlet } from '@tanstack/react-router'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useSessionExpired } from '../session/expiry.ts'
import { PageSkeleton } from '../ui/PageSkeleton.tsx'
import classes from './AppLayout.module.css'
import { Brand } from './Brand.tsx'
import { openPalette } from './commands/palette-state.ts'
import { Navigation } from './Navigation.tsx'

const NavigationDrawer = lazy(async () => ({ default: (await import('./NavigationDrawer.tsx')).NavigationDrawer }))
const SetUpNotice = lazy(async () => ({ default: (await import('./SetUpNotice.tsx')).SetUpNotice }))
const SignInAgain = lazy(async () => ({ default: (await import('./SignInAgain.tsx')).SignInAgain }))

/** The layout of signed-in pages: a sidebar on desktops, a drawer on phones. */
export function AppLayout() {
  const { t } = useTranslation()
  const expired = useSessionExpired()
  const [opened, { toggle, close }] = useDisclosure(false)
  return (
    <div className={classes.layout}>
      <header className={classes.top}>
        <Group gap="xs" wrap="nowrap">
          <Burger className={classes.burger} opened={opened} onClick={toggle} aria-label={t('navigation.open')} />
          <Brand />
        </Group>
        <Button
          variant="default"
          size="sm"
          leftSection={<IconSearch size={18} aria-hidden />}
          rightSection={<Kbd className={classes.keys}>Ctrl K</Kbd>}
          classNames={{ label: classes.commands ?? '' }}
          onClick={openPalette}
        >
          {t('commands.title')}
        </Button>
      </header>
      <aside className={classes.side}>
        <Navigation />
      </aside>
      <Suspense fallback={null}>
        {opened && <NavigationDrawer onClose={close} />}
        {expired && <SignInAgain />}
      </Suspense>
      <main id="content" tabIndex={-1} className={classes.content}>
        <Suspense fallback={null}>
          <SetUpNotice />
        </Suspense>
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </main>
    </div>
  )
}
