import { useSyncExternalStore } from 'react'

/** Absent on iPhones, where only a video can be full screen. */
export const canFillScreen = (): boolean => document.fullscreenEnabled === true

const subscribe = (changed: () => void) => {
  document.addEventListener('fullscreenchange', changed)
  return () => document.removeEventListener('fullscreenchange', changed)
}

export const useIsFullScreen = (): boolean => useSyncExternalStore(subscribe, () => document.fullscreenElement !== null)

/** The whole page, so that dialogs and menus are visible as well. A browser that refuses changes nothing. */
export function toggleFullScreen(): void {
  const done =
    document.fullscreenElement === null ? document.documentElement.requestFullscreen() : document.exitFullscreen()
  void done.catch(() => {})
}
