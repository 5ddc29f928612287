import { wallClockIn } from '@parley/rules/recurrence/wall-clock'
import { readTimestamp } from '@parley/rules/text/timestamp'

/** Dates and times of tables, as Google, Zoom and spreadsheets write them. */

/** How a table writes `03/04/2030`. */
export type DateOrder = 'month-first' | 'day-first'

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const isoDate = /^(\d{4})[-/](\d\d?)[-/](\d\d?)/
const numbered = /^(\d\d?)[/.-](\d\d?)[/.-](\d{4})/
const named = /^(?:[a-z]{3,9},? +)?([a-z]{3})[a-z]*\.? (\d\d?),? (\d{4})/i
const timeOfDay = /^[T, ]*(?:at )?(\d\d?)[:.](\d\d)(?:[:.](\d\d))?(?:\.\d+)? ?([ap])?\.?m?\.?$/i

/**
 * Find the order of the dates of a table; undefined where all of them may be read in both ways. A dot separates dates
 * that begin with the day.
 */
export function findDateOrder(texts: readonly string[]): DateOrder | undefined {
  for (const text of texts) {
    const [whole = '', first, second] = numbered.exec(text.trim()) ?? []
    if (whole.includes('.') || Number(first) > 12) return 'day-first'
    if (Number(second) > 12) return 'month-first'
  }
  return undefined
}

/** Whether the order of a date changes what it means. */
export const isAmbiguous = (text: string): boolean => {
  const [, first, second] = numbered.exec(text.trim()) ?? []
  return first !== undefined && first !== second
}

/** Read a date and a time of day, or a timestamp with an offset; undefined where it is neither. */
export function readTableTime(text: string, zone: string, order: DateOrder): Date | undefined {
  const sent = text.trim()
  const exact = readTimestamp(sent.replace(' ', 'T')) ?? readTimestamp(sent)
  if (exact !== undefined) return exact
  const date = readDate(sent, order)
  if (date === undefined) return undefined
  const [, hour, minute, second = '0', half] = timeOfDay.exec(sent.slice(date.length)) ?? []
  if (hour === undefined || minute === undefined) return undefined
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  if (hours > 23 || Number(minute) > 59 || (half !== undefined && Number(hour) > 12)) return undefined
  const wallMs = date.dayMs + ((hours * 60 + Number(minute)) * 60 + Number(second)) * 1000
  return new Date(wallClockIn(zone).instantOf(wallMs))
}

function readDate(text: string, order: DateOrder): { dayMs: number; length: number } | undefined {
  const iso = isoDate.exec(text)
  if (iso !== null) return dayOf(iso, Number(iso[1]), Number(iso[2]), Number(iso[3]))
  const numbers = numbered.exec(text)
  if (numbers !== null) {
    const [first, second] = [Number(numbers[1]), Number(numbers[2])]
    const [month, day] = order === 'month-first' ? [first, second] : [second, first]
    return dayOf(numbers, Number(numbers[3]), month, day)
  }
  const words = named.exec(text)
  if (words === null) return undefined
  return dayOf(words, Number(words[3]), months.indexOf((words[1] ?? '').toLowerCase()) + 1, Number(words[2]))
}

function dayOf([whole]: readonly string[], year: number, month: number, day: number) {
  const dayMs = Date.UTC(year, month - 1, day)
  // Date reads 30 February as 2 March.
  if (new Date(dayMs).getUTCMonth() !== month - 1 || month < 1) return undefined
  return { dayMs, length: (whole ?? '').length }
}

/** Read a length in minutes: `45`, `45 min`, `1:30`, `1 h 30 min`; undefined where it is none. */
export function readMinutes(text: string): number | undefined {
  const [, colonHours, colonMinutes] = /^(\d\d?):(\d\d)(?::\d\d)?$/.exec(text.trim()) ?? []
  if (colonHours !== undefined) return Number(colonHours) * 60 + Number(colonMinutes)
  const [, hours = '0', minutes = '0'] =
    /^(?:(\d+) ?h(?:ours?|r)?\.?)? ?(?:(\d+)(?: ?m(?:in(?:utes?)?)?\.?)?)?$/i.exec(text.trim()) ?? []
  const total = Number(hours) * 60 + Number(minutes)
  return total > 0 ? total : undefined
}
