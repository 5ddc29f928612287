import { useBlocker } from '@tanstack/react-router'
import { useEffect, useState } from 'react'

/** The open layers, the newest last: Back closes one at a time. */
const layers: symbol[] = []

/** Whether Back closes a layer, so that it does not leave the page. */
export const isLayerOpen = (): boolean => layers.length > 0

/**
 * Back closes a layer, and the page below it stays: on a phone, Back is the way out of anything that covers the page.
 * The first page of a tab is left all the same, because the browser reports no Back there.
 */
export function useBackCloses(onClose: () => void, isOpen = true): void {
  const [layer] = useState(() => Symbol('layer'))
  useEffect(() => {
    if (!isOpen) return
    layers.push(layer)
    return () => void layers.splice(layers.indexOf(layer), 1)
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
