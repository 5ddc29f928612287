import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { serviceQuery, useMail } from '../../../session/session.ts'
import { writeReminder } from './reminder-words.ts'

type ReminderFieldProps = { value: number | null; onChange(minutes: number | null): void }

const usual = 'usual'
const defaultMinutes = [0, 5, 10, 15, 30, 60, 120, 1440]

/** When reminders are mailed. A value that another client has set stays available. */
export function ReminderField({ value, onChange }: ReminderFieldProps) {
  const { t, i18n } = useTranslation('schedule')
  const { mail } = useMail()
  const { data } = useQuery(serviceQuery)
  const write = (minutes: number | null) => writeReminder(minutes, { t, language: i18n.language })
  const choices = [...new Set([...defaultMinutes, ...(value === null ? [] : [value])])].toSorted(
    (one, two) => one - two,
  )
  const ofService = data && t('reminder.usualIs', { reminder: write(data.reminderMinutes) })
  return (
    <NativeSelect
      label={t('reminder.label')}
      description={t(`reminder.explanation.${mail}`)}
      value={value === null ? usual : String(value)}
      data={[
        { value: usual, label: ofService ?? write(null) },
        ...choices.map((minutes) => ({ value: String(minutes), label: write(minutes) })),
      ]}
      onChange={({ currentTarget }) => onChange(currentTarget.value === usual ? null : Number(currentTarget.value))}
    />
  )
}
