import { Outlet } from '@tanstack/react-router'
import { EntranceFrame } from './EntranceFrame.tsx'

/** Pages for anybody, and before anybody is signed in. */
export function EntranceLayout() {
  return (
    <EntranceFrame>
      <Outlet />
    </EntranceFrame>
  )
}
