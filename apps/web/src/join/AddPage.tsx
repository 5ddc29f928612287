import { Anchor, Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { ProblemError } from '@parley/client'
import { addMeeting } from '@parley/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { meetingQuery } from '../meetings/meeting-queries.ts'
import { writeCode } from '../meetings/meeting-status.ts'
import { client } from '../session/client.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useDates } from '../texts/dates.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { Page } from '../ui/Page.tsx'
import { Section } from '../ui/Section.tsx'
import { PinForm } from './PinForm.tsx'
import { useFragmentSecret } from './use-fragment-secret.ts'

/** The page of `addToSvcUrl`: opening it adds the meeting to the caller's list without a further question. */
export function AddPage() {
  const { t } = useTranslation('join')
  const { code } = useParams({ from: '/signed-in/add/$code' })
  const { pin: linkPin } = useFragmentSecret(`/add/${code}`)
  const queryClient = useQueryClient()
  const adding = useMutation({
    mutationFn: (pin: string) => client.call(addMeeting, { params: { svcMeetId: code }, body: { pin } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ['meetings'] }),
  })
  const { mutate, data, error, isPending } = adding
  useEffect(() => {
    if (linkPin !== undefined) mutate(linkPin)
  }, [linkPin, mutate])

  const problem = error instanceof ProblemError ? error.problem.code : undefined
  const mayTry = problem === 'wrong_pin' || problem === 'too_many_requests' || (error === null && linkPin === undefined)
  return (
    <Page title={t('add.title')} width="narrow">
      <Text c="dimmed" mb="md">
        {t('code', { code: writeCode(code) })}
      </Text>
      {problem !== 'wrong_pin' && <ProblemAlert error={error} />}
      {data !== undefined ? (
        <AddedMeeting meetingId={data.meetingId} />
      ) : mayTry ? (
        <Section title={t('states.pin_required.title')}>
          <PinForm
            busy={isPending}
            error={problem === 'wrong_pin' ? t('states.pin_wrong.text') : undefined}
            onSubmit={mutate}
          />
        </Section>
      ) : error === null ? (
        <Stack aria-busy="true">
          <Skeleton h={120} />
        </Stack>
      ) : (
        <AfterRefusal
          code={code}
          again={problem === undefined && linkPin !== undefined ? () => mutate(linkPin) : undefined}
        />
      )}
    </Page>
  )
}

/** Shown after a refusal that another PIN would not change. */
function AfterRefusal({ code, again }: { code: string; again: (() => void) | undefined }) {
  const { t } = useTranslation(['join', 'app'])
  return (
    <Group>
      {again !== undefined && <Button onClick={again}>{t('app:tryAgain')}</Button>}
      <Button variant="default" renderRoot={(props) => <Link to="/meetings" {...props} />}>
        {t('toMeetings')}
      </Button>
      <Anchor renderRoot={(props) => <Link to="/sign-in" search={{ next: `/add/${code}` }} {...props} />}>
        {t('signInOther')}
      </Anchor>
    </Group>
  )
}

/** Confirm the addition: name the meeting and link to the next pages. */
function AddedMeeting({ meetingId }: { meetingId: string }) {
  const { t } = useTranslation(['join', 'app'])
  const { data } = useQuery(meetingQuery(meetingId))
  const dates = useDates()
  return (
    <Section title={t('add.done')}>
      <div role="status">
        <Text fw={600} size="lg" mih="1.55em">
          {data?.meeting.topic}
        </Text>
        <Text mih="1.55em">{data !== undefined && dates.range(data.meeting.startTime, data.meeting.endTime)}</Text>
      </div>
      <Group mt="md">
        <Button renderRoot={(props) => <Link to="/meetings/$meetingId" params={{ meetingId }} {...props} />}>
          {t('add.open')}
        </Button>
        <Anchor href={`/api/meeting/meetingDetails/${meetingId}/invite.ics`} download="invite.ics">
          {t('app:calendarFile')}
        </Anchor>
      </Group>
    </Section>
  )
}
