import { useMediaQuery } from '@mantine/hooks'
import { useEffect, useState } from 'react'

/** Without a mouse, which would move over the bars without showing them. */
const upright = '(hover: none) and (max-width: 47.99em) and (min-height: 30.01em)'
const sideways = '(hover: none) and (max-height: 30em)'

/** Long enough to find a control after a tap. */
const shownMs = 4_000

/** Header and toolbar, and what may not disappear under a finger or from below the focus. */
const inUse = '[data-bar] [aria-expanded="true"], [data-bar] :focus-visible'

type Bars = {
  /** They lie over the stage, because a phone on its side has no room for them. */
  areOver: boolean
  areFaded: boolean
}

/**
 * On phones, header and toolbar fade after a while, and come back at a tap, a key, or when one of them gets the focus.
 * The stage does not move. `stay` keeps them in place, as beside a panel.
 */
export function useFadingBars(stay: boolean): Bars {
  const isUpright = useMediaQuery(upright, undefined, { getInitialValueInEffect: false })
  const isSideways = useMediaQuery(sideways, undefined, { getInitialValueInEffect: false })
  const fade = (isUpright || isSideways) && !stay
  const [areFaded, setFaded] = useState(false)
  useEffect(() => {
    if (!fade) return
    let timer: ReturnType<typeof setTimeout>
    const end = () => (document.querySelector(inUse) === null ? setFaded(true) : wait())
    const wait = () => {
      clearTimeout(timer)
      timer = setTimeout(end, shownMs)
    }
    const show = () => {
      setFaded(false)
      wait()
    }
    const gone = new AbortController()
    for (const used of ['pointerdown', 'keydown', 'focusin'] as const)
      document.addEventListener(used, show, { capture: true, signal: gone.signal })
    wait()
    return () => {
      clearTimeout(timer)
      gone.abort()
      setFaded(false)
    }
  }, [fade])
  return { areOver: isSideways && !stay, areFaded: fade && areFaded }
}

/** Use the display up to its edges, also beside a notch: the room keeps its own distance from them (`safe-area-inset`). */
export function useWholeDisplay(): void {
  useEffect(() => {
    const viewport = document.querySelector<HTMLMetaElement>('meta[name="viewport"]')
    if (viewport === null) return
    const before = viewport.content
    viewport.content = `${before}, viewport-fit=cover`
    return () => {
      viewport.content = before
    }
  }, [])
}
