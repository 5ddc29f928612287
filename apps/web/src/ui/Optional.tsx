import { CatchBoundary } from '@tanstack/react-router'
import { type ReactNode, Suspense } from 'react'

type OptionalProps = {
  /** Holds the place while the part is fetched, and where it fails. */
  instead?: ReactNode
  /** The page appears together with the part, and waits for it. */
  withPage?: boolean
  children: ReactNode
}

/** A part that the page can do without. Its code or its texts may not arrive, which takes nothing else with it. */
export const Optional = ({ instead = null, withPage = false, children }: OptionalProps) => (
  <CatchBoundary getResetKey={() => window.location.pathname} errorComponent={() => instead}>
    {withPage ? children : <Suspense fallback={instead}>{children}</Suspense>}
  </CatchBoundary>
)
