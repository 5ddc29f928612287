/** The colours that an organisation's own colour gives one scheme, each as `#rrggbb`. */
export type AccentShades = {
  /** Of buttons and links. */
  accent: string
  /** Of a button under the pointer. */
  hover: string
  /** Behind what is selected. */
  tint: string
  /** Of text on a button. */
  onAccent: string
}
export type AccentColours = { light: AccentShades; dark: AccentShades }

/** The accent of the product on light pages. */
export const productColour = '#14655a'

/** WCAG 2.2, 1.4.3. */
const minContrast = 4.5

/** The backgrounds of each scheme on which links stand: apps/web/src/app/theme.ts (ground, surface, hover). */
const grounds = { light: ['#ffffff', '#f4f5f3', '#e3e7e3'], dark: ['#19201d', '#101513', '#222a27'] }

/** A difference of lightness that is not visible. */
const lightnessStep = 0.005
/** A difference of lightness that is. */
const hoverStep = 0.07

/** Read a colour as `#rrggbb` in lower case; undefined for what is none. */
export function readColour(text: string): string | undefined {
  const digits = /^#?([\da-f]{6}|[\da-f]{3})$/i.exec(text.trim())?.[1]?.toLowerCase()
  if (digits === undefined) return undefined
  return `#${digits.length === 3 ? digits.replaceAll(/./g, '$&$&') : digits}`
}

/**
 * Derive the colours of both schemes from a colour as `#rrggbb`. Text in the accent, and text on it, reach a contrast of
 * 4.5:1 everywhere. The accent is the colour itself where it does, else the next darker or lighter shade that does.
 */
export function deriveAccentColours(colour: string): AccentColours {
  const { chroma, hue } = toOklch(colour)
  const light = { tint: fromOklch(0.925, Math.min(chroma, 0.045), hue), onAccent: '#ffffff' }
  const dark = {
    tint: fromOklch(0.32, Math.min(chroma, 0.05), hue),
    onAccent: fromOklch(0.2, Math.min(chroma, 0.035), hue),
  }
  return {
    light: { ...light, ...readableShades(colour, [...grounds.light, light.tint], -1) },
    dark: { ...dark, ...readableShades(colour, [...grounds.dark, dark.tint, dark.onAccent], 1) },
  }
}

/** Find the shade nearest to a colour that is readable on all grounds, and a further one for the pointer. */
function readableShades(colour: string, grounds: readonly string[], direction: 1 | -1) {
  const { lightness, chroma, hue } = toOklch(colour)
  const isReadable = (shade: string) => grounds.every((ground) => contrastOf(shade, ground) >= minContrast)
  let accent = colour
  let at = lightness
  while (!isReadable(accent) && at >= 0 && at <= 1) {
    at += direction * lightnessStep
    accent = fromOklch(at, chroma, hue)
  }
  // At the end of the scale the shade for the pointer is on the near side.
  const further = at + direction * hoverStep
  const isBeyond = further < 0.05 || further > 0.98
  return { accent, hover: fromOklch(isBeyond ? at - direction * hoverStep : further, chroma, hue) }
}

/** The contrast of two colours (WCAG 2.2, contrast ratio): 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((first, second) => first - second)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminanceOf(colour: string): number {
  const [red, green, blue] = linearOf(colour)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

type Triple = [number, number, number]

/** The linear components of an sRGB colour. */
const linearOf = (colour: string): Triple =>
  [1, 3, 5]
    .map((at) => Number.parseInt(colour.slice(at, at + 2), 16) / 255)
    .map((value) => (value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)) as Triple

/** Convert to OKLCH, in which equal steps of lightness look equal in every hue (Björn Ottosson, 2020). */
function toOklch(colour: string) {
  const [red, green, blue] = linearOf(colour)
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  const lightness = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short
  const b = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short
  return { lightness, chroma: Math.hypot(a, b), hue: Math.atan2(b, a) }
}

/** Convert from OKLCH. A colour that sRGB does not have loses chroma until sRGB has it. */
function fromOklch(lightness: number, chroma: number, hue: number): string {
  for (let reduced = chroma; reduced > 0.001; reduced -= 0.002) {
    const components = componentsOf(lightness, reduced, hue)
    if (components.every((value) => value >= -0.0005 && value <= 1.0005)) return hexOf(components)
  }
  return hexOf(componentsOf(Math.min(1, Math.max(0, lightness)), 0, hue))
}

function componentsOf(lightness: number, chroma: number, hue: number): Triple {
  const [a, b] = [chroma * Math.cos(hue), chroma * Math.sin(hue)]
  const long = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

const hexOf = (linear: Triple) =>
  `#${linear
    .map((value) => Math.min(1, Math.max(0, value)))
    .map((value) => (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055))
    .map((value) =>
      Math.round(value * 255)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`
