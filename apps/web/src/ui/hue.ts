import type { CSSProperties } from 'react'

const hues = 12

/**
 * A colour for what has an id, the same each time: one of twelve, as the variable `--hue` in degrees. It is never the only
 * thing that tells two apart.
 */
export function hueOf(id: string): CSSProperties {
  const sum = [...id].reduce((total, letter) => total + (letter.codePointAt(0) ?? 0), 0)
  return { '--hue': (sum % hues) * (360 / hues) } as CSSProperties
}
