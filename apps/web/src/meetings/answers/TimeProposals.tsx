import type { SingleMeetingReply } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Section } from '../../ui/Section.tsx'
import { TimeProposalRow } from './TimeProposalRow.tsx'
import classes from './TimeProposals.module.css'
import { timeProposalsQuery } from './time-proposals-query.ts'

type TimeProposalsProps = { meeting: SingleMeetingReply; etag: string }

/** The times that participants propose in their calendar programs; nothing where there are none. */
export function TimeProposals({ meeting, etag }: TimeProposalsProps) {
  const { t } = useTranslation('meeting')
  const { data } = useQuery(timeProposalsQuery(meeting._id))
  if (data === undefined || data.proposals.length === 0) return null
  return (
    <Section title={t('proposals.title')}>
      <ul className={classes.proposals}>
        {data.proposals.map((proposal) => (
          <TimeProposalRow key={proposal._id} meeting={meeting} etag={etag} proposal={proposal} />
        ))}
      </ul>
    </Section>
  )
}
