import { Group, NativeSelect, NumberInput, TextInput } from '@mantine/core'
import { maxOccurrences } from '@parley/rules/meetings/repeat-options'
import { useTranslation } from 'react-i18next'
import type { RepeatDraft } from '../repeat-draft.ts'

type EndFieldsProps = {
  repeat: RepeatDraft
  set(changes: Partial<RepeatDraft>): void
  error(field: keyof RepeatDraft): string | undefined
}

const ends = ['never', 'date', 'count'] as const

/** When a series ends: never, on a date, or after a number of dates. */
export function EndFields({ repeat, set, error }: EndFieldsProps) {
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
        <TextInput
          type="date"
          label={t('repeats.endDate')}
          max="2999-12-31"
          required
          value={repeat.endDate}
          onChange={({ currentTarget }) => set({ endDate: currentTarget.value })}
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
