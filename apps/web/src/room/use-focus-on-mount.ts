import { type RefObject, useEffect, useRef } from 'react'

/** Focus an element that replaces the page's content; the focus would otherwise be lost. */
export function useFocusOnMount<Element extends HTMLElement>(): RefObject<Element | null> {
  const focusRef = useRef<Element>(null)
  useEffect(() => focusRef.current?.focus({ preventScroll: true }), [])
  return focusRef
}
