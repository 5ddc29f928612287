import { NativeSelect, Radio, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeSpan } from '../../texts/dates.ts'
import type { Dated, Extent } from './dates-to-cancel.ts'

type ExtentFieldProps = {
  extent: Extent
  onExtent(extent: Extent): void
  /** The start of the chosen date. */
  chosen: string
  onChosen(startTime: string): void
  dates: readonly Dated[]
}

const extents = ['next', 'one', 'all'] as const

/** How much of a series to cancel: the next date, a chosen date, or all future dates. */
export function ExtentField({ extent, onExtent, chosen, onChosen, dates }: ExtentFieldProps) {
  const { t, i18n } = useTranslation('schedule')
  const dateFormat = { language: i18n.language, timeZone: ownTimeZone() }
  const select = (value: string) => {
    const found = extents.find((one) => one === value)
    if (found === undefined) return
    onExtent(found)
    const [first] = dates
    if (found === 'one' && chosen === '' && first !== undefined) onChosen(first.startTime)
  }
  return (
    <>
      <Radio.Group label={t('cancel.which')} value={extent} onChange={select}>
        <Stack gap="xs" mt="xs">
          {extents.map((one) => (
            <Radio key={one} value={one} label={t(`cancel.extents.${one}`)} />
          ))}
        </Stack>
      </Radio.Group>
      {extent === 'one' && (
        <NativeSelect
          label={t('cancel.date')}
          value={chosen}
          onChange={({ currentTarget }) => onChosen(currentTarget.value)}
          data={dates.map(({ startTime, endTime }) => ({
            value: startTime,
            label: writeSpan(startTime, endTime, dateFormat),
          }))}
        />
      )}
    </>
  )
}
