import type { ErrorComponentProps } from '@tanstack/react-router'
import { ErrorPage } from './ErrorPage.tsx'
import { NotFoundPage } from './NotFoundPage.tsx'
import { PublicFrame } from './PublicFrame.tsx'

/** Pages outside of any layout: no route matched, or the layout itself failed. */
export function FramedNotFoundPage() {
  return (
    <PublicFrame>
      <NotFoundPage />
    </PublicFrame>
  )
}

export function FramedErrorPage(props: ErrorComponentProps) {
  return (
    <PublicFrame>
      <ErrorPage {...props} />
    </PublicFrame>
  )
}
