import { useDirection } from '@mantine/core'
import { type PointerEvent, useMemo, useRef } from 'react'
import classes from './CalendarPage.module.css'

/** A shorter way, or one that is rather up or down, is no swipe. */
const minSwipePixels = 48
/** What is swiped follows the finger only so far. */
const maxFollowedPixels = 96

/**
 * Let a finger or a pen swipe to what is earlier or later, in the direction of the writing. What is swiped follows the
 * finger; with reduced motion it stays. Spread the result on an element.
 */
export function useSwipe(onSwipe: (direction: 1 | -1) => void) {
  const { dir } = useDirection()
  const latest = useRef(onSwipe)
  latest.current = onSwipe
  return useMemo(
    () => ({
      className: classes.swiped ?? '',
      onPointerDown(pressed: PointerEvent<HTMLElement>) {
        if (pressed.pointerType === 'mouse' || !pressed.isPrimary) return
        follow(pressed.currentTarget, pressed, (towards) => latest.current(dir === 'rtl' ? flipped(towards) : towards))
      },
    }),
    [dir],
  )
}

const flipped = (towards: 1 | -1) => (towards === 1 ? -1 : 1)

function follow(element: HTMLElement, pressed: PointerEvent, onSwipe: (towards: 1 | -1) => void): void {
  const ending = new AbortController()
  const { signal } = ending
  let isSideways = false
  const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
  const end = () => {
    ending.abort()
    element.style.translate = ''
  }
  const wayOf = (event: globalThis.PointerEvent) => ({
    x: event.clientX - pressed.clientX,
    y: event.clientY - pressed.clientY,
  })
  addEventListener(
    'pointermove',
    (event) => {
      if (event.pointerId !== pressed.pointerId) return end()
      // A finger that rested before it moved has taken a date, or the time of a new meeting.
      if (element.querySelector('[data-moving], [data-span]') !== null) return end()
      const { x, y } = wayOf(event)
      isSideways = Math.abs(x) > Math.abs(y)
      if (!isStill) {
        const shown = Math.min(Math.max(x, -maxFollowedPixels), maxFollowedPixels)
        element.style.translate = isSideways ? `${Math.round(shown / 2)}px` : ''
      }
    },
    { signal },
  )
  addEventListener(
    'pointerup',
    (event) => {
      const { x, y } = wayOf(event)
      end()
      if (Math.abs(x) < minSwipePixels || Math.abs(x) < 2 * Math.abs(y)) return
      const towards = x < 0 ? 1 : -1
      // Restart the animation of a swipe that follows another one.
      element.removeAttribute('data-swiped')
      void element.offsetWidth
      element.dataset.swiped = x < 0 ? 'to-left' : 'to-right'
      onSwipe(towards)
    },
    { signal },
  )
  // Chromium treats a quick movement as a fling even where `touch-action` forbids scrolling, and drops the next tap.
  const scrollsSideways = !getComputedStyle(pressed.target as Element).touchAction.includes('pan-y')
  element.addEventListener(
    'touchmove',
    (event) => {
      if (isSideways && !scrollsSideways && event.cancelable) event.preventDefault()
    },
    { signal, passive: false },
  )
  // The browser scrolls.
  addEventListener('pointercancel', end, { signal })
}
