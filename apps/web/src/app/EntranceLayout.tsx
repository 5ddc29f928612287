import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useWantedFrame } from '../ui/frame.ts'
import { PageSkeleton } from '../ui/PageSkeleton.tsx'
import { Appearance } from './Appearance.tsx'
import { Brand } from './Brand.tsx'
import { DocumentationLink } from './DocumentationLink.tsx'
import classes from './EntranceLayout.module.css'

/** One card under the name of the product, like the pages that the server renders; a room has the whole window. */
export function EntranceLayout() {
  const frame = useWantedFrame()
  return (
    <div className={classes.entrance} data-frame={frame}>
      {frame !== 'window' && (
        <header className={classes.bar}>
          <Brand />
        </header>
      )}
      <main id="content" tabIndex={-1} className={classes.card}>
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </main>
      {frame !== 'window' && (
        <footer className={classes.bar}>
          <Appearance />
          <DocumentationLink />
        </footer>
      )}
    </div>
  )
}
