const secondMs = 1_000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

/** The thresholds of larger units: "in 85 minutes" is more exact than "in 1 hour". */
const units = [
  { unit: 'day', sizeMs: dayMs, fromMs: 36 * hourMs },
  { unit: 'hour', sizeMs: hourMs, fromMs: 90 * minuteMs },
  { unit: 'minute', sizeMs: minuteMs, fromMs: minuteMs },
  { unit: 'second', sizeMs: secondMs, fromMs: 0 },
] as const

/** The time between two instants in words: "in 25 minutes", "2 days ago". Rounded towards zero. */
export function writeDistance(to: Date | string, from: Date, language: string): string {
  const distanceMs = new Date(to).getTime() - from.getTime()
  const { unit, sizeMs } = units.find(({ fromMs }) => Math.abs(distanceMs) >= fromMs) ?? units[3]
  return new Intl.RelativeTimeFormat(language, { numeric: 'always' }).format(Math.trunc(distanceMs / sizeMs), unit)
}
