import { wallClockIn } from './wall-clock.ts'

const minuteMs = 60_000

/** The offset of a zone from UTC at an instant, in minutes. */
export const utcOffsetAt = (timeZone: string, instant: Date): number =>
  (wallClockIn(timeZone).read(instant.getTime()) - instant.getTime()) / minuteMs

/** `+05:30`; with seconds for historical local mean times. */
export function writeOffset(minutes: number): string {
  const seconds = Math.round(Math.abs(minutes) * 60)
  const parts = [
    Math.trunc(seconds / 3600),
    Math.trunc(seconds / 60) % 60,
    ...(seconds % 60 === 0 ? [] : [seconds % 60]),
  ]
  return (minutes < 0 ? '-' : '+') + parts.map((part) => String(part).padStart(2, '0')).join(':')
}
