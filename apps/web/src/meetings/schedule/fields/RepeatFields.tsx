import { Group, NativeSelect, NumberInput, Stack } from '@mantine/core'
import { maxInterval } from '@parley/rules/meetings/repeat-options'
import { useTranslation } from 'react-i18next'
import type { MeetingForm } from '../form.ts'
import { hasInterval, type RepeatDraft } from '../repeat-draft.ts'
import { namesOfWeekdays } from './calendar-words.ts'
import { DayChips } from './DayChips.tsx'
import { EndFields } from './EndFields.tsx'
import { MonthlyFields } from './MonthlyFields.tsx'

const ways = ['none', 'daily', 'weekdays', 'weekly', 'monthly'] as const

/** The recurrence of a meeting; the fields depend on the chosen kind. */
export function RepeatFields({ form }: { form: MeetingForm }) {
  const { t, i18n } = useTranslation('schedule')
  const { repeat } = form.values
  const set = (changes: Partial<RepeatDraft>) => {
    form.setFieldValue('repeat', { ...repeat, ...changes })
    for (const field of Object.keys(changes)) form.clearFieldError(`repeat.${field}`)
    form.clearFieldError('repeat.repeat')
  }
  const error = (field: keyof RepeatDraft) => {
    const found = form.errors[`repeat.${field}`]
    return typeof found === 'string' ? found : undefined
  }
  const weekdays = namesOfWeekdays(i18n.language).map(({ weekday, ...names }) => ({ value: weekday, ...names }))
  return (
    <Stack gap="md">
      <Group gap="md" align="flex-start" grow preventGrowOverflow={false}>
        <NativeSelect
          label={t('repeats.label')}
          value={repeat.repeat}
          error={error('repeat')}
          data={ways.map((way) => ({ value: way, label: t(`repeats.ways.${way}`) }))}
          onChange={({ currentTarget }) => {
            const chosen = ways.find((way) => way === currentTarget.value)
            if (chosen !== undefined) set({ repeat: chosen })
          }}
        />
        {hasInterval(repeat.repeat) && (
          <NumberInput
            label={t(`repeats.interval.${repeat.repeat}`)}
            min={1}
            max={maxInterval}
            allowDecimal={false}
            value={repeat.interval}
            onChange={(interval) => set({ interval: Number(interval) })}
            error={error('interval')}
          />
        )}
      </Group>
      {repeat.repeat === 'weekly' && (
        <DayChips
          label={t('repeats.weekdays')}
          choices={weekdays}
          chosen={repeat.weekdays}
          onChange={(chosen) => set({ weekdays: chosen })}
          error={error('weekdays')}
        />
      )}
      {repeat.repeat === 'monthly' && <MonthlyFields repeat={repeat} set={set} error={error} weekdays={weekdays} />}
      {repeat.repeat !== 'none' && <EndFields repeat={repeat} set={set} error={error} />}
    </Stack>
  )
}
