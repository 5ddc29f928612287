import { useEffect, useState } from 'react'

/**
 * For a dialog that is there only while it is open: when it goes, the focus is again where it was, so that whoever works
 * by keyboard does not begin at the top (WCAG 2.2, 2.4.3). Where that is gone, as a row that was removed, it is in the panel
 * or the page around it. What has opened meanwhile keeps the focus that it took.
 */
export function useReturnFocus(): void {
  const [{ before, around }] = useState(() => {
    const focused = document.activeElement
    const place = focused?.closest<HTMLElement>('aside, main') ?? undefined
    return { before: focused instanceof HTMLElement ? focused : undefined, around: place }
  })
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        const place = before?.isConnected ? before : around
        const isFree = document.activeElement === null || document.activeElement === document.body
        if (isFree && place !== undefined) place.focus({ preventScroll: true })
      })
    },
    [before, around],
  )
}
