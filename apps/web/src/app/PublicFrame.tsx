import { Outlet } from '@tanstack/react-router'
import { lazy, type ReactNode, Suspense } from 'react'
import { useRequestedFrame } from '../ui/frame.ts'
import { Optional } from '../ui/Optional.tsx'
import { PageSkeleton } from '../ui/PageSkeleton.tsx'
import { Brand } from './Brand.tsx'
import classes from './PublicFrame.module.css'

// Fetched by public pages only.
const PageFoot = lazy(async () => ({ default: (await import('./PageFoot.tsx')).PageFoot }))

/** The layout of pages that need no sign-in. */
export function PublicLayout() {
  return (
    <PublicFrame>
      <Outlet />
    </PublicFrame>
  )
}

/** One card under the product's name, like the server-rendered pages; a room takes the whole window. */
export function PublicFrame({ children }: { children: ReactNode }) {
  const frame = useRequestedFrame()
  return (
    <div className={classes.frame} data-frame={frame}>
      {frame !== 'window' && (
        <header className={classes.bar}>
          <Brand />
        </header>
      )}
      <main id="content" tabIndex={-1} className={classes.card}>
        <Suspense fallback={<PageSkeleton />}>{children}</Suspense>
      </main>
      {frame !== 'window' && (
        <footer className={classes.bar}>
          <Optional>
            <PageFoot />
          </Optional>
        </footer>
      )}
    </div>
  )
}
