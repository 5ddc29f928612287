import { type ReactNode, Suspense } from 'react'
import { useWantedFrame } from '../ui/frame.ts'
import { PageSkeleton } from '../ui/PageSkeleton.tsx'
import { Brand } from './Brand.tsx'
import { PageFoot } from './PageFoot.tsx'
import classes from './PublicFrame.module.css'

/** One card under the name of the product, like the pages that the server renders; a room has the whole window. */
export function PublicFrame({ children }: { children: ReactNode }) {
  const frame = useWantedFrame()
  return (
    <div className={classes.entrance} data-frame={frame}>
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
          <PageFoot />
        </footer>
      )}
    </div>
  )
}
