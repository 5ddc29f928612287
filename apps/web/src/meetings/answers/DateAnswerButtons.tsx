import { Button, Group } from '@mantine/core'
import { type InvitationResponse, invitationResponses, type OccurrenceReply, respondToMeeting } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { ownTimeZone, writeSpan } from '../../texts/dates.ts'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { meetingQuery } from '../meeting-queries.ts'
import classes from './DateAnswers.module.css'

type DateAnswerButtonsProps = { meetingId: string; occurrence: OccurrenceReply }

/** Answer one date of a series with yes, maybe or no. */
export function DateAnswerButtons({ meetingId, occurrence }: DateAnswerButtonsProps) {
  const { t, i18n } = useTranslation('meeting')
  const queryClient = useQueryClient()
  const { startTime, endTime, originalStartTime } = occurrence
  const answering = useMutation({
    mutationFn: (response: InvitationResponse) =>
      client.call(respondToMeeting, { params: { meetingId }, body: { response, occurrence: originalStartTime } }),
    // Also after a failure: the date may have been cancelled in the meantime.
    onSettled: () => queryClient.invalidateQueries({ queryKey: meetingQuery(meetingId).queryKey }),
  })
  const date = writeSpan(startTime, endTime, { language: i18n.language, timeZone: ownTimeZone() })
  const answer = answering.isPending ? answering.variables : occurrence.response
  return (
    <div className={classes.buttons}>
      <Group gap={4} role="group" aria-label={t('rsvp.date', { date })}>
        {invitationResponses.map((response) => (
          <Button
            key={response}
            size="compact-sm"
            variant={answer === response ? 'filled' : 'default'}
            aria-pressed={answer === response}
            onClick={() => answering.mutate(response)}
          >
            {t(`rsvp.${response}`)}
          </Button>
        ))}
      </Group>
      <ProblemAlert error={answering.error} />
    </div>
  )
}
