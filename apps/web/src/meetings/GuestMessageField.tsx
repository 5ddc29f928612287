import { Textarea, type TextareaProps } from '@mantine/core'
import { maxGuestMessageLength } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { useMail } from '../session/session.ts'

/** What is written to the participants who are emailed about a change; nothing where no email leaves. */
export function GuestMessageField(props: Omit<TextareaProps, 'label' | 'description' | 'maxLength'>) {
  const { t } = useTranslation('schedule')
  const { mailIsSent } = useMail()
  if (!mailIsSent) return null
  return (
    <Textarea
      label={t('guestMessage.label')}
      description={t('guestMessage.hint')}
      maxLength={maxGuestMessageLength}
      autosize
      minRows={2}
      maxRows={6}
      dir="auto"
      {...props}
    />
  )
}

/** The message as a request has it; absent where there is none, or no reader of it. */
export const messageOf = (message: string, notifies: boolean): { message?: string } =>
  notifies && message.trim() !== '' ? { message } : {}
