import { useBlocker } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'

/** The open layers, the newest last: Back closes one at a time. */
const layers: symbol[] = []

/** Whether Back closes a layer, so that it does not leave the page. */
export const isLayerOpen = (): boolean => layers.length > 0

/** The browser's own notice of the way back (HTML, 6.5.3), which TypeScript's library lacks. */
type Watcher = { onclose: (() => void) | null; destroy(): void }
declare global {
  interface Window {
    CloseWatcher?: new () => Watcher
  }
}

/**
 * Back closes a layer, and the page below it stays: on a phone, Back is the way out of anything that covers the page.
 * The first page of a tab has no entry to go back to: there, a phone's browser tells its `CloseWatcher`, and one without
 * leaves the page.
 */
export function useBackCloses(onClose: () => void, isOpen = true): void {
  const [layer] = useState(() => Symbol('layer'))
  const close = useRef(onClose)
  close.current = onClose
  useEffect(() => {
    if (!isOpen) return
    layers.push(layer)
    // On a desktop, it would take the Escape key from the layer.
    const isTouched = window.matchMedia('(pointer: coarse)').matches
    let watcher = isTouched ? watchClose() : undefined
    function watchClose(): Watcher | undefined {
      if (window.CloseWatcher === undefined) return undefined
      const made = new window.CloseWatcher()
      made.onclose = () => {
        close.current()
        // It reports once, and the layer may stay open.
        if (layers.includes(layer)) watcher = watchClose()
      }
      return made
    }
    return () => {
      layers.splice(layers.indexOf(layer), 1)
      watcher?.destroy()
    }
  }, [layer, isOpen])
  useBlocker({
    shouldBlockFn: ({ action }) => {
      if (action !== 'BACK' || layers.at(-1) !== layer) return false
      onClose()
      return true
    },
    enableBeforeUnload: false,
    disabled: !isOpen,
  })
}
