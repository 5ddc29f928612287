import { useSyncExternalStore } from 'react'

/** Absent on iPhones, where only a video can fill the screen. */
export const canFillScreen = (): boolean => document.fullscreenEnabled === true

const subscribe = (changed: () => void) => {
  document.addEventListener('fullscreenchange', changed)
  return () => document.removeEventListener('fullscreenchange', changed)
}

export const useIsFullScreen = (): boolean => useSyncExternalStore(subscribe, () => document.fullscreenElement !== null)

/** The whole page, so that dialogs and menus are seen as well. A browser that refuses leaves everything as it is. */
export function toggleFullScreen(): void {
  const done =
    document.fullscreenElement === null ? document.documentElement.requestFullscreen() : document.exitFullscreen()
  void done.catch(() => {})
}
