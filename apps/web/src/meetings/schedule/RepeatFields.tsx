import { Chip, Fieldset, Group, Input, NativeSelect, NumberInput, Radio, Stack } from '@mantine/core'
import { maxInterval, maxOccurrences } from '@parley/rules/meetings/repeat-options'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { DateField } from '../../ui/date-time/DateField.tsx'
import { namesOfWeekdays } from '../../ui/date-time/days.ts'
import { lastDateInMonth } from './draft-validation.ts'
import { useMeetingFormContext } from './MeetingFormContext.tsx'
import classes from './RepeatFields.module.css'
import { hasInterval, presetOf, presetsOn, type RepeatDraft, type RepeatPreset, withPreset } from './repeat-draft.ts'
import { writeRepeat } from './repeat-sentence.ts'

/** The recurrence of a meeting; the fields depend on the chosen kind. */
export function RepeatFields() {
  const form = useMeetingFormContext()
  const { t, i18n } = useTranslation('schedule')
  const { repeat, date } = form.values
  const presets = presetsOn(date, repeat)
  /** "Every week on Tuesday": the rule that the preset makes, or the kind while the rule is incomplete. */
  const nameOf = (preset: RepeatPreset) => {
    const chosen = withPreset(repeat, preset)
    if (chosen.repeat !== 'weekly' && chosen.repeat !== 'monthly') return t(`repeats.ways.${chosen.repeat}`)
    const rule = writeRepeat({ ...chosen, ends: 'never' }, { t, language: i18n.language })
    return rule === '' ? t(`repeats.ways.${chosen.repeat}`) : rule
  }
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
          value={presetOf(repeat)}
          error={error('repeat')}
          data={presets.map((preset) => ({ value: preset, label: nameOf(preset) }))}
          onChange={({ currentTarget }) => {
            const chosen = presets.find((preset) => preset === currentTarget.value)
            if (chosen !== undefined) set(withPreset(repeat, chosen))
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
      {repeat.repeat !== 'none' && <EndFields date={date} repeat={repeat} set={set} error={error} />}
    </Stack>
  )
}

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
function MonthlyFields({ repeat, set, error, weekdays }: MonthlyFieldsProps) {
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

type EndFieldsProps = {
  /** The first day of the series; empty while there is none. */
  date: string
  repeat: RepeatDraft
  set(changes: Partial<RepeatDraft>): void
  error(field: keyof RepeatDraft): string | undefined
}

const ends = ['never', 'date', 'count'] as const

/** When a series ends: never, on a date, or after a number of dates. */
function EndFields({ date, repeat, set, error }: EndFieldsProps) {
  const { t } = useTranslation('schedule')
  return (
    <Group gap="md" align="flex-start" grow preventGrowOverflow={false}>
      <NativeSelect
        label={t('repeats.ends.label')}
        value={repeat.ends}
        data={ends.map((end) => ({ value: end, label: t(`repeats.ends.${end}`) }))}
        onChange={({ currentTarget }) => {
          const chosen = ends.find((end) => end === currentTarget.value)
          if (chosen !== undefined) set({ ends: chosen })
        }}
      />
      {repeat.ends === 'date' && (
        <DateField
          label={t('repeats.endDate')}
          required
          value={repeat.endDate}
          from={date}
          onChange={(endDate) => set({ endDate })}
          error={error('endDate')}
        />
      )}
      {repeat.ends === 'count' && (
        <NumberInput
          label={t('repeats.count')}
          min={1}
          max={maxOccurrences}
          allowDecimal={false}
          required
          value={repeat.count}
          onChange={(count) => set({ count: Number(count) })}
          error={error('count')}
        />
      )}
    </Group>
  )
}

type DayChipsProps = {
  label: string
  choices: readonly { value: number; short: string; long: string }[]
  chosen: readonly number[]
  onChange(chosen: number[]): void
  error?: string | undefined
}

/** A multiple choice of chips: the days of a week, the weeks of a month. */
function DayChips({ label, choices, chosen, onChange, error }: DayChipsProps) {
  const id = useId()
  return (
    <Fieldset variant="unstyled" legend={label} classNames={{ root: classes.fieldset ?? '', legend: classes.legend }}>
      <Chip.Group multiple value={chosen.map(String)} onChange={(values) => onChange(values.map(Number).toSorted())}>
        <Group gap="xs">
          {choices.map(({ value, short, long }) => (
            <Chip
              key={value}
              value={String(value)}
              classNames={{ label: classes.label }}
              aria-label={long}
              aria-invalid={error !== undefined}
              aria-describedby={error === undefined ? undefined : `${id}-error`}
            >
              {short}
            </Chip>
          ))}
        </Group>
      </Chip.Group>
      {error !== undefined && (
        <Input.Error id={`${id}-error`} mt={4}>
          {error}
        </Input.Error>
      )}
    </Fieldset>
  )
}
