import { Button, Group, Text } from '@mantine/core'
import type { SingleMeetingReply } from '@parley/contract'
import { addressKey } from '@parley/rules/text/email-address'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { useDates } from '../../texts/dates.ts'
import { invitedPeople } from '../invitation-answers.ts'
import { useDismissTimeProposal } from '../meeting-mutations.ts'
import { type TimeProposal, timeProposalsQuery } from '../meeting-queries.ts'
import { writeName } from '../meeting-status.ts'
import { MeetingPart } from './MeetingPart.tsx'
import classes from './TimeProposals.module.css'

type TimeProposalsProps = { meeting: SingleMeetingReply; etag: string }

/** The times that participants propose in their calendar programs; nothing where there are none. */
export function TimeProposals({ meeting, etag }: TimeProposalsProps) {
  const { t } = useTranslation('meeting')
  const { data } = useQuery(timeProposalsQuery(meeting._id))
  if (data === undefined || data.proposals.length === 0) return null
  return (
    <MeetingPart title={t('proposals.title')}>
      <ul className={classes.proposals}>
        {data.proposals.map((proposal) => (
          <TimeProposalRow key={proposal._id} meeting={meeting} etag={etag} proposal={proposal} />
        ))}
      </ul>
    </MeetingPart>
  )
}

const ChangeDateDialog = lazy(async () => ({
  default: (await import('./DateDialogs.tsx')).ChangeDateDialog,
}))

type TimeProposalRowProps = { meeting: SingleMeetingReply; etag: string; proposal: TimeProposal }

/** One proposed time: to use it leads to the form, which says who is notified. */
function TimeProposalRow({ meeting, etag, proposal }: TimeProposalRowProps) {
  const { t } = useTranslation('meeting')
  const dates = useDates()
  const [isChanging, setIsChanging] = useState(false)
  const { email, startTime, endTime, occurrence, comment } = proposal
  const dismissing = useDismissTimeProposal(meeting._id)
  const write = (times: { startTime: string; endTime: string }) => dates.range(times.startTime, times.endTime)
  const guest = invitedPeople(meeting).find((person) => addressKey(person.email) === addressKey(email))
  const person = (guest === undefined ? '' : writeName(guest)) || email
  const times = write(proposal)
  const names = { person, times }
  return (
    <li>
      <Text fw={600}>{times}</Text>
      <Text size="sm" c="dimmed" className={classes.text}>
        {t('proposals.by', { person, times: write(occurrence ?? meeting) })}
      </Text>
      {comment !== undefined && (
        <Text size="sm" className={classes.text} dir="auto">
          {comment}
        </Text>
      )}
      <ProblemAlert error={dismissing.error} />
      <Group gap="xs" mt="xs">
        {occurrence === undefined ? (
          <Button
            size="compact-sm"
            aria-label={t('proposals.useNamed', names)}
            renderRoot={(props) => (
              <Link
                to="/meetings/$meetingId/edit"
                params={{ meetingId: meeting._id }}
                search={{ start: startTime, end: endTime }}
                {...props}
              />
            )}
          >
            {t('proposals.use')}
          </Button>
        ) : (
          <Button size="compact-sm" aria-label={t('proposals.useNamed', names)} onClick={() => setIsChanging(true)}>
            {t('proposals.use')}
          </Button>
        )}
        <Button
          size="compact-sm"
          variant="default"
          aria-label={t('proposals.dismissNamed', names)}
          loading={dismissing.isPending}
          onClick={() => dismissing.mutate(proposal._id)}
        >
          {t('proposals.dismiss')}
        </Button>
      </Group>
      <Suspense fallback={null}>
        {isChanging && occurrence !== undefined && (
          <ChangeDateDialog
            meeting={meeting}
            etag={etag}
            occurrence={occurrence}
            proposed={{ startTime, endTime }}
            onClose={() => setIsChanging(false)}
          />
        )}
      </Suspense>
    </li>
  )
}
