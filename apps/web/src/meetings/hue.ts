import type { MeetingColour } from '@parley/contract'
import type { CSSProperties } from 'react'

/** The hue of each colour in degrees; the theme has lightness and chroma, with which text is legible on all of them. */
const hues: Readonly<Record<MeetingColour, number>> = {
  red: 25,
  orange: 55,
  gold: 90,
  green: 145,
  teal: 190,
  blue: 250,
  purple: 305,
  pink: 350,
}

/** The colour of a meeting, as the variable `--hue`. Colour is never the only difference between two items. */
export const hueOf = (colour: MeetingColour): CSSProperties => ({ '--hue': hues[colour] }) as CSSProperties
