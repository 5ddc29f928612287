import { Checkbox, type CheckboxProps, Text } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useMail } from '../session/session.ts'

type NotifyCheckboxProps = Omit<CheckboxProps, 'label'> & { about: 'new' | 'change' | 'cancellation' }

/** Whether a change is emailed to the participants; where no email leaves, a sentence that says so. */
export function NotifyCheckbox({ about, ...props }: NotifyCheckboxProps) {
  const { t } = useTranslation('schedule')
  const { mailIsSent, mail } = useMail()
  const words = t(`tells.${about}.${mail}`)
  return mailIsSent ? <Checkbox label={words} {...props} /> : <Text size="sm">{words}</Text>
}
