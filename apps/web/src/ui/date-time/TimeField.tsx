import { useTranslation } from 'react-i18next'
import { TypedChoice, type TypedFieldProps } from './TypedChoice.tsx'
import { quarterHours, readTime, timesLike, writeTime } from './typed-time.ts'

type TimeFieldProps = TypedFieldProps & {
  /** 09:30, with seconds where they are not zero; empty for none. */
  value: string
  onChange(time: string): void
}

/** A time of day: one of the quarter hours, or any that is typed. */
export function TimeField({ value, onChange, ...props }: TimeFieldProps) {
  const { t, i18n } = useTranslation('app')
  const { language } = i18n
  const all = value === '' ? quarterHours : [...new Set([...quarterHours, value])].toSorted()
  return (
    <TypedChoice
      {...props}
      value={value === '' ? undefined : value}
      write={(time) => writeTime(time, language)}
      read={(typed) => readTime(typed, language)}
      choices={(typed) => (typed === undefined ? all : timesLike(typed, language))}
      onChange={(time) => onChange(time ?? '')}
      unreadable={t('typed.noTime', { example: writeTime('09:30', language) })}
    />
  )
}
