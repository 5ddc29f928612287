import { ActionIcon, Button } from '@mantine/core'
import { ProblemError } from '@parley/client'
import { resendInvitation } from '@parley/contract'
import { IconMailForward } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { useProblemWords } from '../../session/problem-words.ts'
import { useMail } from '../../session/session.ts'
import { ownTimeZone, writeMoment } from '../../texts/dates.ts'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { readClockMs } from '../../ui/hooks/use-now.ts'
import { showToast } from '../../ui/toast.ts'

type ResendButtonProps = {
  meetingId: string
  email: string
  /** One of many in a list: an icon with an accessible name and a tooltip. */
  isCompact?: boolean
}

/**
 * Send the invitation to one participant again. When the address has had too many mails, show when the next one is
 * possible.
 */
export function ResendButton({ meetingId, email, isCompact = false }: ResendButtonProps) {
  const { t, i18n } = useTranslation('meeting')
  const { mail } = useMail()
  const words = useProblemWords()
  const explain = (error: unknown) => {
    const until = error instanceof ProblemError && error.problem.code === 'mail_limited' && retryTime(error.headers)
    if (!until) return words(error)
    return t('resend.limited', {
      email,
      when: writeMoment(until, { language: i18n.language, timeZone: ownTimeZone() }),
    })
  }
  const sending = useMutation({
    mutationFn: () => client.call(resendInvitation, { params: { meetingId }, body: { email } }),
    onSuccess: () => showToast({ message: t(`resend.done.${mail}`, { email }) }),
    onError: (error) => showToast({ message: explain(error), kind: 'problem', about: `resend ${email}` }),
  })
  if (isCompact) {
    return (
      <ActionIcon
        variant="default"
        title={t('resend.button')}
        aria-label={t('resend.name', { email })}
        loading={sending.isPending}
        onClick={() => sending.mutate()}
      >
        <IconMailForward size={16} aria-hidden />
      </ActionIcon>
    )
  }
  return (
    <Button
      variant="default"
      size="compact-sm"
      aria-label={t('resend.name', { email })}
      loading={sending.isPending}
      onClick={() => sending.mutate()}
    >
      {t('resend.button')}
    </Button>
  )
}

/** Rounded up to the minute, the precision in which times are shown. */
function retryTime(headers: Headers): Date | undefined {
  const seconds = Number(headers.get('retry-after'))
  const minuteMs = 60_000
  return seconds > 0 ? new Date(Math.ceil((readClockMs() + seconds * 1000) / minuteMs) * minuteMs) : undefined
}
