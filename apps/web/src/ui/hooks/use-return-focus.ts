import { useEffect, useState } from 'react'

/**
 * For a dialog that is mounted only while open: restore the focus on unmounting, so that keyboard users do not start at
 * the top (WCAG 2.2, 2.4.3). When the previous element is gone, such as a removed row, focus the enclosing panel or
 * page. An element that took the focus in the meantime keeps it.
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
