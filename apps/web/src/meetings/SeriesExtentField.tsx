import { Radio, Stack } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** How much of a series is changed. */
export type SeriesExtent = 'one' | 'following' | 'all'

type SeriesExtentFieldProps = {
  value: SeriesExtent
  onChange(extent: SeriesExtent): void
  /** The choices that there are. */
  extents: readonly SeriesExtent[]
  /** The date in words, where the dialog does not show it otherwise. */
  date?: string | undefined
  /** The name of `all`, where it is not every date. */
  allLabel?: string
  /** The dialog begins with this question. */
  isFirst?: boolean
}

/** Whether a change applies to one date of a series or to more, as calendar programs ask. */
export function SeriesExtentField({
  value,
  onChange,
  extents,
  date,
  allLabel,
  isFirst = false,
}: SeriesExtentFieldProps) {
  const { t } = useTranslation('occurrence')
  const select = (chosen: string) => {
    const found = extents.find((extent) => extent === chosen)
    if (found !== undefined) onChange(found)
  }
  return (
    <Radio.Group label={t('extent.label')} value={value} onChange={select}>
      <Stack gap="xs" mt="xs">
        {extents.map((extent) => (
          <Radio
            key={extent}
            value={extent}
            label={(extent === 'all' && allLabel) || t(`extent.${extent}`)}
            {...(extent === 'one' && date !== undefined && { description: date })}
            data-autofocus={(isFirst && extent === value) || undefined}
          />
        ))}
      </Stack>
    </Radio.Group>
  )
}
