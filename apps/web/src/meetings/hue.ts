import type { CSSProperties } from 'react'

const hues = 12

/**
 * A stable colour for an id: one of twelve hues in degrees, as the variable `--hue`. Colour is never the only
 * difference between two items.
 */
export function hueOf(id: string): CSSProperties {
  const sum = [...id].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  return { '--hue': (sum % hues) * (360 / hues) } as CSSProperties
}
