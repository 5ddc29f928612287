import { Outlet } from '@tanstack/react-router'
import { Suspense } from 'react'
import { PageSkeleton } from '../ui/PageSkeleton.tsx'
import { Appearance } from './Appearance.tsx'
import { Brand } from './Brand.tsx'
import classes from './EntranceLayout.module.css'

/** One card under the name of the product, like the pages that the server renders. */
export function EntranceLayout() {
  return (
    <div className={classes.entrance}>
      <header className={classes.bar}>
        <Brand />
      </header>
      <main id="content" tabIndex={-1} className={classes.card}>
        <Suspense fallback={<PageSkeleton />}>
          <Outlet />
        </Suspense>
      </main>
      <footer className={classes.bar}>
        <Appearance />
      </footer>
    </div>
  )
}
