import { NumberInput, Radio, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { lastDateInMonth } from '../draft-validation.ts'
import type { RepeatDraft } from '../repeat-draft.ts'
import { DayChips } from './DayChips.tsx'

type MonthlyFieldsProps = {
  repeat: RepeatDraft
  set(changes: Partial<RepeatDraft>): void
  error(field: keyof RepeatDraft): string | undefined
  weekdays: readonly { value: number; short: string; long: string }[]
}

const kinds = ['date', 'last-day', 'weeks'] as const
const weeks = ['first', 'second', 'third', 'fourth', 'last'] as const
/** Later days do not exist in every month and are then skipped (RFC 5545), which the form explains. */
const shortestMonthDays = 28

/** The day of the month: a date, the last day, or weekdays. */
export function MonthlyFields({ repeat, set, error, weekdays }: MonthlyFieldsProps) {
  const { t } = useTranslation('schedule')
  return (
    <Stack gap="md">
      <Radio.Group
        label={t('repeats.monthlyOn')}
        value={repeat.monthlyOn}
        onChange={(value) => {
          const chosen = kinds.find((kind) => kind === value)
          if (chosen !== undefined) set({ monthlyOn: chosen })
        }}
      >
        <Stack gap="xs" mt="xs">
          {kinds.map((kind) => (
            <Radio key={kind} value={kind} label={t(`repeats.kinds.${kind}`)} />
          ))}
        </Stack>
      </Radio.Group>
      {repeat.monthlyOn === 'date' && (
        <NumberInput
          label={t('repeats.dateInMonth')}
          description={repeat.dateInMonth > shortestMonthDays ? t('repeats.shortMonths') : undefined}
          min={1}
          max={lastDateInMonth}
          allowDecimal={false}
          value={repeat.dateInMonth}
          onChange={(dateInMonth) => set({ dateInMonth: Number(dateInMonth) })}
          error={error('dateInMonth')}
        />
      )}
      {repeat.monthlyOn === 'weeks' && (
        <>
          <DayChips
            label={t('repeats.weeks')}
            choices={weeks.map((name, value) => ({
              value,
              short: t(`weekChoices.${name}`),
              long: t(`weekChoices.${name}`),
            }))}
            chosen={repeat.weeks}
            onChange={(chosen) => set({ weeks: chosen })}
            error={error('weeks')}
          />
          <DayChips
            label={t('repeats.weekdays')}
            choices={weekdays}
            chosen={repeat.weekdaysInMonth}
            onChange={(chosen) => set({ weekdaysInMonth: chosen })}
            error={error('weekdaysInMonth')}
          />
        </>
      )}
    </Stack>
  )
}
