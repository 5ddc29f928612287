import { Badge, Group, Text } from '@mantine/core'
import type { SingleMeetingReply } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { Section } from '../ui/Section.tsx'
import classes from './Participants.module.css'
import { writeName } from './standing.ts'

/** Who was invited, and to the host what they answered. */
export function Participants({ meeting }: { meeting: SingleMeetingReply }) {
  const { t } = useTranslation('meetings')
  const { participants, cohosts, hostInfo } = meeting
  // Answers are told to hosts only, and so is the key.
  const isHost = meeting.roomKey !== ''
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
            answer={isHost ? t(`people.answers.${participant.response ?? 'none'}`) : undefined}
            fault={participant.mailFailedOn === undefined ? undefined : t('people.mailFailed')}
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

type PersonProps = {
  name: string
  email: string
  mark?: string | undefined
  answer?: string | undefined
  fault?: string | undefined
}

function Person({ name, email, mark, answer, fault }: PersonProps) {
  return (
    <li className={classes.person}>
      <div className={classes.names}>
        <Text fw={500}>{name === '' ? email : name}</Text>
        {name !== '' && (
          <Text size="sm" c="dimmed">
            {email}
          </Text>
        )}
        {fault !== undefined && (
          <Text size="sm" c="var(--parley-danger)">
            {fault}
          </Text>
        )}
      </div>
      <Group gap="xs" className={classes.marks}>
        {mark !== undefined && (
          <Badge color="gray" variant="default" tt="none">
            {mark}
          </Badge>
        )}
        {answer !== undefined && (
          <Text size="sm" c="dimmed">
            {answer}
          </Text>
        )}
      </Group>
    </li>
  )
}
