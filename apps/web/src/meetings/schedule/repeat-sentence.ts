import type { TFunction } from 'i18next'
import { namesOfWeekdays } from '../../ui/date-time/days.ts'
import { joinWords, writeCalendarDate } from './calendar-words.ts'
import { hasInterval, type RepeatDraft } from './repeat-draft.ts'

type Words = { t: TFunction<'schedule'>; language: string }

const weekNames = ['first', 'second', 'third', 'fourth', 'last'] as const

/**
 * The recurrence as a sentence without its full stop: "Every month on the last Friday, until 30 June 2027". Empty
 * without a recurrence, and for an incomplete rule.
 */
export function writeRepeat(draft: RepeatDraft, words: Words): string {
  const { t, language } = words
  if (draft.repeat === 'none' || !Number.isInteger(draft.interval) || draft.interval < 1) return ''
  const often = hasInterval(draft.repeat) ? writeOften(draft.repeat, draft.interval, t) : t('repeat.every.weekdays')
  const when = writeWhen(draft, words)
  if (when === undefined) return ''
  const rule = when === '' ? often : t('repeat.on', { often, when })
  const sentence = writeEnd(rule, draft, words)
  return sentence.slice(0, 1).toLocaleUpperCase(language) + sentence.slice(1)
}

function writeEnd(rule: string, { ends, endDate, count }: RepeatDraft, { t, language }: Words): string {
  if (ends === 'count' && Number.isInteger(count)) return t('repeat.times', { rule, count })
  if (ends === 'date' && endDate !== '') return t('repeat.until', { rule, date: writeCalendarDate(endDate, language) })
  return rule
}

function writeOften(repeat: 'daily' | 'weekly' | 'monthly', count: number, t: Words['t']): string {
  if (count === 1) return t(`repeat.every.${repeat}`)
  return count === 2 ? t(`repeat.everySecond.${repeat}`) : t(`repeat.everyFew.${repeat}`, { count })
}

/** Undefined while no day is chosen. */
function writeWhen(draft: RepeatDraft, words: Words): string | undefined {
  const { t, language } = words
  if (draft.repeat === 'daily' || draft.repeat === 'weekdays') return ''
  if (draft.repeat === 'weekly') {
    const days = writeDays(draft.weekdays, language)
    return draft.weekdays.length === 0 ? undefined : t('repeat.onDays', { days, count: draft.weekdays.length })
  }
  switch (draft.monthlyOn) {
    case 'last-day':
      return t('repeat.onLastDay')
    case 'date': {
      if (!(draft.dateInMonth >= 1 && draft.dateInMonth <= 31)) return undefined
      const form = new Intl.PluralRules(language, { type: 'ordinal' }).select(draft.dateInMonth)
      return t('repeat.onDate', {
        date: t(`repeat.date.${form === 'zero' ? 'other' : form}`, { number: draft.dateInMonth }),
      })
    }
    case 'weeks': {
      const { weeks, weekdaysInMonth } = draft
      if (weeks.length === 0 || weekdaysInMonth.length === 0) return undefined
      const chosen = weekNames.filter((_, week) => weeks.includes(week)).map((name) => t(`weeks.${name}`))
      const days = writeDays(weekdaysInMonth, language)
      return t('repeat.onWeeks', { weeks: joinWords(chosen, language), days, count: weekdaysInMonth.length })
    }
  }
}

function writeDays(weekdays: readonly number[], language: string): string {
  const chosen = namesOfWeekdays(language).filter(({ weekday }) => weekdays.includes(weekday))
  return joinWords(
    chosen.map(({ long }) => long),
    language,
  )
}
