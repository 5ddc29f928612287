import { useNetwork } from '@mantine/hooks'
import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { PageSkeleton } from '../ui/PageSkeleton.tsx'
import { Commands } from './commands/Commands.tsx'
import { useOrganisationLook } from './organisation-look.ts'
import classes from './Root.module.css'

export function Root() {
  useOrganisationLook()
  return (
    <>
      <SkipLink />
      <OfflineBanner />
      <Suspense fallback={<PageSkeleton />}>
        <Outlet />
      </Suspense>
      <Commands />
    </>
  )
}

/** The first element in tab order. It is a button because a link would change the router's address. */
function SkipLink() {
  const { t } = useTranslation()
  return (
    <button type="button" className={classes.skip} onClick={() => document.querySelector('main')?.focus()}>
      {t('skip')}
    </button>
  )
}

/** Report a lost connection. TanStack Query pauses reads by itself. */
function OfflineBanner() {
  const { t } = useTranslation()
  const { online } = useNetwork()
  return <div role="status">{online ? null : <p className={classes.banner}>{t('offline')}</p>}</div>
}
