import { Button, Group, Text } from '@mantine/core'
import { invitationResponses, respondToMeeting, type SingleMeetingReply } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { usePerson } from '../../session/session.ts'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { Section } from '../../ui/Section.tsx'
import { meetingQuery } from '../meeting-queries.ts'
import { useIsAhead } from '../use-is-ahead.ts'
import { invitationOf } from './invitation-answers.ts'

/** Answer an invitation with yes, maybe or no while a date is left; nothing for people who are not invited. */
export function OwnAnswer({ meeting }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation('meeting')
  const invitation = invitationOf(usePerson(), meeting)
  const isAhead = useIsAhead(meeting)
  const queryClient = useQueryClient()
  const answering = useMutation({
    mutationFn: (response: (typeof invitationResponses)[number]) =>
      client.call(respondToMeeting, { params: { meetingId: meeting._id }, body: { response } }),
    // Also after a failure: the meeting may have been cancelled in the meantime.
    onSettled: () => queryClient.invalidateQueries({ queryKey: meetingQuery(meeting._id).queryKey }),
  })
  if (invitation === undefined || !isAhead) return null

  const answer = answering.isPending ? answering.variables : invitation.response
  return (
    <Section title={t('rsvp.title')}>
      <ProblemAlert error={answering.error} />
      <Group gap="xs" role="group" aria-label={t('rsvp.title')}>
        {invitationResponses.map((response) => (
          <Button
            key={response}
            variant={answer === response ? 'filled' : 'default'}
            aria-pressed={answer === response}
            onClick={() => answering.mutate(response)}
          >
            {t(`rsvp.${response}`)}
          </Button>
        ))}
      </Group>
      <Text c="dimmed" size="sm" mt="xs" role="status">
        {answer === undefined ? t('rsvp.unanswered') : t(`rsvp.said.${answer}`)} {meeting.recur && t('rsvp.series')}
      </Text>
    </Section>
  )
}
