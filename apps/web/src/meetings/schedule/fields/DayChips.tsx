import { Chip, Fieldset, Group, Input } from '@mantine/core'
import { useId } from 'react'
import classes from './DayChips.module.css'

type DayChipsProps = {
  label: string
  choices: readonly { value: number; short: string; long: string }[]
  chosen: readonly number[]
  onChange(chosen: number[]): void
  error?: string | undefined
}

/** A multiple choice of chips: the days of a week, the weeks of a month. */
export function DayChips({ label, choices, chosen, onChange, error }: DayChipsProps) {
  const id = useId()
  return (
    <Fieldset variant="unstyled" legend={label} classNames={{ legend: classes.legend }}>
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
