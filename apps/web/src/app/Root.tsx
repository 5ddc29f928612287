import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { PageSkeleton } from '../ui/PageSkeleton.tsx'
import { Commands } from './commands/Commands.tsx'
import { OfflineBanner } from './OfflineBanner.tsx'
import { SkipLink } from './SkipLink.tsx'

export function Root() {
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
