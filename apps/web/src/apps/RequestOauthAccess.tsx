import { Button, Text, Textarea } from '@mantine/core'
import { type ReplyOf, type readOauthAccess, requestOauthAccess } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { ownTimeZone, writeDay } from '../texts/dates.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { Section } from '../ui/Section.tsx'
import { accessQuery } from './app-queries.ts'
import classes from './RequestOauthAccess.module.css'

/** The API's limit. */
const maxReasonLength = 1_000

/** OAuth is in Beta and enabled per account: the developer gives a reason, and an administrator decides. */
export function RequestOauthAccess({ access }: { access: ReplyOf<typeof readOauthAccess> }) {
  const { t, i18n } = useTranslation(['apps', 'violations', 'app'])
  const queryClient = useQueryClient()
  const fieldErrors = useFieldErrors()
  const [reason, setReason] = useState('')
  const [violation, setViolation] = useState<string>()
  const attempt = useMutation({
    mutationFn: () => client.call(requestOauthAccess, { body: { reason: reason.trim() } }),
    onSuccess: () => {
      setReason('')
      return queryClient.invalidateQueries({ queryKey: accessQuery.queryKey })
    },
    onError: (error) => {
      setViolation(fieldErrors(error).reason)
      focusFirstInvalid()
    },
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() !== '') return attempt.mutate()
    setViolation(t('violations:required'))
    focusFirstInvalid()
  }
  const { status, requestedOn, declinedOn, declineReason } = access
  const writtenDay = (moment: string | null) =>
    moment === null ? '' : writeDay(moment, { language: i18n.language, timeZone: ownTimeZone() })
  const isRequested = status === 'requested'
  const [title, message] =
    status === 'declined'
      ? [t('ask.declinedTitle'), t('ask.declined', { day: writtenDay(declinedOn) })]
      : isRequested
        ? [t('ask.askedTitle'), t('ask.asked', { day: writtenDay(requestedOn) })]
        : [t('ask.title'), t('ask.explanation')]
  return (
    <Section title={title}>
      <div role="status">
        <Text mb="md">{message}</Text>
        {status === 'declined' && declineReason !== '' && (
          <Text mb="md" className={classes.written}>
            {t('app:reason', { reason: declineReason })}
          </Text>
        )}
      </div>
      <ProblemAlert error={attempt.error} />
      <form noValidate onSubmit={send}>
        <Textarea
          label={isRequested ? t('ask.reasonAgain') : t('ask.reason')}
          description={t('ask.reasonHint')}
          value={reason}
          error={violation}
          maxLength={maxReasonLength}
          rows={3}
          mb="md"
          required
          onChange={({ currentTarget: { value } }) => {
            setReason(value)
            setViolation(undefined)
          }}
        />
        <Button type="submit" variant={isRequested ? 'default' : 'filled'} loading={attempt.isPending}>
          {status !== 'none' ? t('ask.again') : t('ask.send')}
        </Button>
      </form>
    </Section>
  )
}
