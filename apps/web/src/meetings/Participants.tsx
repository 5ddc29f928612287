import { Badge, Text } from '@mantine/core'
import type { SingleMeetingReply } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { Section } from '../ui/Section.tsx'
import classes from './Participants.module.css'
import { writeName } from './standing.ts'

/** Who was invited, and to the host what they answered. */
export function Participants({ meeting }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation('meetings')
  const { participants, cohosts, hostInfo } = meeting
  const cohostAddresses = new Set(cohosts.map((address) => address.toLowerCase()))
  return (
    <Section title={t('people.title')}>
      <ul className={classes.people}>
        <Person name={writeName(hostInfo)} email={hostInfo.email} mark={t('people.host')} />
        {participants.map((participant) => (
          <Person
            key={participant.email}
            name={writeName(participant)}
            email={participant.email}
            mark={cohostAddresses.has(participant.email.toLowerCase()) ? t('people.cohost') : undefined}
          />
        ))}
      </ul>
      {participants.length === 0 && (
        <Text c="dimmed" size="sm">
          {t('people.nobody')}
        </Text>
      )}
    </Section>
  )
}

type PersonProps = { name: string; email: string; mark: string | undefined }

function Person({ name, email, mark }: PersonProps) {
  return (
    <li className={classes.person}>
      <div className={classes.names}>
        <Text fw={500}>{name === '' ? email : name}</Text>
        {name !== '' && (
          <Text size="sm" c="dimmed">
            {email}
          </Text>
        )}
      </div>
      {mark !== undefined && <Badge color="gray">{mark}</Badge>}
    </li>
  )
}
