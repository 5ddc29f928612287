import { useEffect, useState } from 'react'

/**
 * For a dialog that is there only while it is open: when it goes, the focus is again where it was, so that whoever works
 * by keyboard does not begin at the top (WCAG 2.2, 2.4.3). What has opened meanwhile keeps the focus that it took.
 */
export function useReturnFocus(): void {
  const [before] = useState(() => document.activeElement)
  useEffect(
    () => () => {
      requestAnimationFrame(() => {
        const isFree = document.activeElement === null || document.activeElement === document.body
        if (isFree && before instanceof HTMLElement) before.focus({ preventScroll: true })
      })
    },
    [before],
  )
}
