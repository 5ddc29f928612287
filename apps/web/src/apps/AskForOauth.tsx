import { Button, Text, Textarea } from '@mantine/core'
import { requestOauthAccess } from '@parley/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { ownTimeZone, writeDay } from '../texts/dates.ts'
import { focusFirstInvalid } from '../ui/focus-first-invalid.ts'
import { Section } from '../ui/Section.tsx'
import { appsQuery, askedQuery } from './app-queries.ts'

/** The service takes no more. */
const longestReason = 1_000

/** OAuth is in Beta and per account: one says what for, and an administrator decides. */
export function AskForOauth() {
  const { t, i18n } = useTranslation(['apps', 'violations'])
  const queryClient = useQueryClient()
  const fieldErrors = useFieldErrors()
  const [reason, setReason] = useState('')
  const [fault, setFault] = useState<string>()
  const { data: askedOn } = useQuery(askedQuery)
  const attempt = useMutation({
    mutationFn: () => client.call(requestOauthAccess, { body: { reason: reason.trim() } }),
    onSuccess: () => {
      setReason('')
      return Promise.all([askedQuery, appsQuery].map(({ queryKey }) => queryClient.invalidateQueries({ queryKey })))
    },
    onError: (error) => {
      setFault(fieldErrors(error).reason)
      focusFirstInvalid()
    },
  })
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (reason.trim() !== '') return attempt.mutate()
    setFault(t('violations:required'))
    focusFirstInvalid()
  }
  const asked = askedOn !== undefined && askedOn !== null
  const day = asked ? writeDay(askedOn, { language: i18n.language, timeZone: ownTimeZone() }) : ''
  return (
    <Section title={asked ? t('ask.askedTitle') : t('ask.title')}>
      <Text role="status" mb="md">
        {asked ? t('ask.asked', { day }) : t('ask.explanation')}
      </Text>
      <ProblemAlert error={attempt.error} />
      <form noValidate onSubmit={send}>
        <Textarea
          label={asked ? t('ask.reasonAgain') : t('ask.reason')}
          description={t('ask.reasonHint')}
          value={reason}
          error={fault}
          maxLength={longestReason}
          rows={3}
          mb="md"
          required
          onChange={({ currentTarget: { value } }) => {
            setReason(value)
            setFault(undefined)
          }}
        />
        <Button type="submit" variant={asked ? 'default' : 'filled'} loading={attempt.isPending}>
          {asked ? t('ask.again') : t('ask.send')}
        </Button>
      </form>
    </Section>
  )
}
