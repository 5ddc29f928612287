import { Outlet } from '@tanstack/react-router'
import { PublicFrame } from './PublicFrame.tsx'

/** The layout of pages that need no sign-in. */
export function PublicLayout() {
  return (
    <PublicFrame>
      <Outlet />
    </PublicFrame>
  )
}
