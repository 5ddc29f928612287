import { type RefObject, useEffect, useRef } from 'react'

/** What takes the place of all that was on the page gets the focus: it would else be lost. */
export function useFocusOnCome<Element extends HTMLElement>(): RefObject<Element | null> {
  const come = useRef<Element>(null)
  useEffect(() => come.current?.focus({ preventScroll: true }), [])
  return come
}
