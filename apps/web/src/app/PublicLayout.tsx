import { Outlet } from '@tanstack/react-router'
import { PublicFrame } from './PublicFrame.tsx'

/** Pages for anybody, and before anybody is signed in. */
export function PublicLayout() {
  return (
    <PublicFrame>
      <Outlet />
    </PublicFrame>
  )
}
