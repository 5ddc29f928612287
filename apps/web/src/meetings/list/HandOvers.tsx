import { Box, Button, Text } from '@mantine/core'
import { IconCalendarUser } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../../session/ProblemAlert.tsx'
import { useMail } from '../../session/session.ts'
import { useDates } from '../../texts/dates.ts'
import { Row, Rows } from '../../ui/Rows.tsx'
import { Section } from '../../ui/Section.tsx'
import { showToast } from '../../ui/toast.ts'
import { type HandOverAnswer, useAnswerHandOver } from '../meeting-mutations.ts'
import { type HandOver, handOversQuery } from './list-queries.ts'

/** Meetings whose hosts have left, offered to the reader, or one of them. Renders nothing without any. */
export function HandOvers({ meetingId }: { meetingId?: string }) {
  const { t } = useTranslation('meeting')
  const { mail } = useMail()
  const { data = [], error } = useQuery(handOversQuery)
  const answering = useAnswerHandOver({
    onSaved: (_answered, { handOver: { topic }, answer }) =>
      showToast({
        message:
          answer === 'accepted' ? t(`handOvers.accepted.${mail}`, { topic }) : t('handOvers.declined', { topic }),
      }),
  })
  const shown = data.filter((handOver) => meetingId === undefined || handOver.meetingId === meetingId)
  if (shown.length === 0) return <ProblemAlert error={error} />
  return (
    <Box mb="lg">
      <Section title={t('handOvers.title')}>
        <Text c="dimmed" mb="sm">
          {t('handOvers.explanation')}
        </Text>
        <ProblemAlert error={error ?? answering.error} />
        <Rows label={t('handOvers.title')}>
          {shown.map((handOver) => (
            <HandOverRow
              key={handOver.meetingId}
              handOver={handOver}
              busy={answering.isPending}
              onAnswer={(answer) => answering.mutate({ handOver, answer })}
            />
          ))}
        </Rows>
      </Section>
    </Box>
  )
}

type HandOverRowProps = { handOver: HandOver; busy: boolean; onAnswer(answer: HandOverAnswer['answer']): void }

function HandOverRow({ handOver: { meetingId, topic, host, guests, expiresOn }, busy, onAnswer }: HandOverRowProps) {
  const { t } = useTranslation(['meeting', 'app'])
  const { date } = useDates()
  return (
    <Row
      icon={<IconCalendarUser size={20} />}
      name={
        <Link to="/meetings/$meetingId" params={{ meetingId }}>
          {topic}
        </Link>
      }
      details={[
        t('handOvers.by', { name: host.name, email: host.email, day: date(expiresOn) }),
        t('handOvers.guests', { count: guests }),
      ]}
      actions={
        <>
          <Button
            variant="default"
            size="xs"
            disabled={busy}
            aria-label={t('handOvers.declineNamed', { topic })}
            onClick={() => onAnswer('declined')}
          >
            {t('app:decline')}
          </Button>
          <Button
            variant="default"
            size="xs"
            disabled={busy}
            aria-label={t('handOvers.acceptNamed', { topic })}
            onClick={() => onAnswer('accepted')}
          >
            {t('app:accept')}
          </Button>
        </>
      }
    />
  )
}
