import { Suspense } from 'react'
import { EmbedPage } from '../embed/EmbedPage.tsx'
import { useRequestedFrame } from '../ui/frame.ts'
import { PageSkeleton } from '../ui/PageSkeleton.tsx'
import classes from './PublicFrame.module.css'

/** The layout of an embedded meeting: that of public pages, without their ways to other pages. */
export function EmbedFrame() {
  return (
    <div className={classes.frame} data-frame={useRequestedFrame()}>
      <main id="content" tabIndex={-1} className={classes.card}>
        <Suspense fallback={<PageSkeleton />}>
          <EmbedPage />
        </Suspense>
      </main>
    </div>
  )
}
