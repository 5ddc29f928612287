const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** From how far on a larger unit is exact enough: "in 85 minutes" says more than "in 1 hour". */
const units = [
  { unit: 'day', sizeMs: dayMs, fromMs: 36 * hourMs },
  { unit: 'hour', sizeMs: hourMs, fromMs: 90 * minuteMs },
  { unit: 'minute', sizeMs: minuteMs, fromMs: minuteMs },
  { unit: 'second', sizeMs: secondMs, fromMs: 0 },
] as const

/** How far one instant is from another, in words: "in 25 minutes", "2 days ago". What is shorter than said is cut off. */
export function writeDistance(to: Date | string, from: Date, language: string): string {
  const distanceMs = new Date(to).getTime() - from.getTime()
  const { unit, sizeMs } = units.find(({ fromMs }) => Math.abs(distanceMs) >= fromMs) ?? units[3]
  return new Intl.RelativeTimeFormat(language, { numeric: 'always' }).format(Math.trunc(distanceMs / sizeMs), unit)
}
