import { type RefObject, useEffect, useRef } from 'react'

/** Focus an element that replaces the page's content; the focus would otherwise be lost. */
export function useFocusOnCome<Element extends HTMLElement>(): RefObject<Element | null> {
  const come = useRef<Element>(null)
  useEffect(() => come.current?.focus({ preventScroll: true }), [])
  return come
}
