import { useCallback, useEffect, useState } from 'react'

/** Document picture-in-picture, which Chromium has. */
type DocumentPictureInPicture = { requestWindow(size: { width: number; height: number }): Promise<Window> }

const pictureInPicture = (globalThis as { documentPictureInPicture?: DocumentPictureInPicture })
  .documentPictureInPicture

/** Whether the call fits into a small window above others, with its controls. Browsers open none from a frame. */
export const canOpenCallWindow = pictureInPicture !== undefined && globalThis.parent === globalThis.window

const size = { width: 400, height: 300 }

/** Make the small window look as the page, whose policy it inherits. */
function dress({ document: small }: Window): void {
  const { lang, dir } = document.documentElement
  const scheme = document.documentElement.getAttribute('data-mantine-color-scheme')
  Object.assign(small.documentElement, { lang, dir })
  if (scheme !== null) small.documentElement.setAttribute('data-mantine-color-scheme', scheme)
  small.title = document.title
  for (const style of document.querySelectorAll<HTMLElement>('link[rel="stylesheet"], style')) {
    const copy = small.importNode(style, true)
    // Browsers hide a nonce from copies.
    copy.nonce = style.nonce
    small.head.append(copy)
  }
}

type CallWindow = { opened: Window | undefined; toggle(): void; close(): void }

/** The small window of the call: opened by a click, or by the browser when the person changes to another tab. */
export function useCallWindow(): CallWindow {
  const [opened, setOpened] = useState<Window>()
  const close = useCallback(() => {
    opened?.close()
    setOpened(undefined)
  }, [opened])
  const open = useCallback(async () => {
    try {
      const small = await pictureInPicture?.requestWindow(size)
      if (small === undefined) return
      dress(small)
      small.addEventListener('pagehide', () => setOpened((current) => (current === small ? undefined : current)))
      setOpened(small)
    } catch {
      // The browser allows it after a click only, or not at all; the call is still in the page.
    }
  }, [])
  useEffect(() => () => opened?.close(), [opened])
  useEffect(() => {
    const { mediaSession } = navigator as { mediaSession?: MediaSession }
    if (!canOpenCallWindow || mediaSession === undefined) return
    const setHandler = (handler: (() => void) | null) => {
      try {
        // Not yet in TypeScript's list of actions.
        mediaSession.setActionHandler('enterpictureinpicture' as MediaSessionAction, handler)
      } catch {
        // A browser without it leaves the call in its tab.
      }
    }
    let isAutomatic = false
    setHandler(() => {
      isAutomatic = document.visibilityState === 'hidden'
      void open()
    })
    const endWhenBack = () => {
      if (document.visibilityState !== 'visible' || !isAutomatic) return
      isAutomatic = false
      setOpened((current) => {
        current?.close()
        return undefined
      })
    }
    document.addEventListener('visibilitychange', endWhenBack)
    return () => {
      setHandler(null)
      document.removeEventListener('visibilitychange', endWhenBack)
    }
  }, [open])
  return { opened, close, toggle: () => (opened === undefined ? void open() : close()) }
}
