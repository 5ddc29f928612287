import { Box, Button, Text } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { useDates } from '../texts/dates.ts'
import { Mark } from '../ui/Mark.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { showToast } from '../ui/toast.ts'
import { type InvitationAnswer, useAnswerTesterInvitation } from './grant-mutations.ts'
import { invitationsQuery, type TesterInvitation } from './grant-queries.ts'

/** Invitations to test sandbox apps, and those accepted. Renders nothing without any. */
export function TesterInvitations() {
  const { t } = useTranslation('connected-apps')
  const { data = [], error } = useQuery(invitationsQuery)
  const answer = useAnswerTesterInvitation({
    onSaved: (_answered, { invitation, said }) =>
      showToast({ message: t(`invitations.${said}`, { name: invitation.app.name }) }),
  })
  const shown = data.filter(({ state }) => state !== 'declined')
  if (shown.length === 0) return <ProblemAlert error={error} />
  return (
    <Box mb="lg">
      <Section title={t('invitations.title')}>
        <Text c="dimmed" mb="sm">
          {t('invitations.explanation')}
        </Text>
        <ProblemAlert error={error ?? answer.error} />
        <Rows label={t('invitations.title')}>
          {shown.map((invitation) => (
            <InvitationRow
              key={invitation.app._id}
              invitation={invitation}
              busy={answer.isPending}
              onAnswer={(said) => answer.mutate({ invitation, said })}
            />
          ))}
        </Rows>
      </Section>
    </Box>
  )
}

type InvitationRowProps = {
  invitation: TesterInvitation
  busy: boolean
  onAnswer(said: InvitationAnswer['said']): void
}

function InvitationRow({ invitation: { app, owner, state, invitedOn }, busy, onAnswer }: InvitationRowProps) {
  const { t } = useTranslation(['connected-apps', 'app'])
  const { date } = useDates()
  const { name } = app
  const isAccepted = state === 'accepted'
  const refusal = isAccepted ? 'leave' : 'decline'
  return (
    <Row
      icon={<IconFlask size={20} />}
      name={name}
      marks={isAccepted && <Mark tone="good">{t('invitations.testing')}</Mark>}
      details={[t('invitations.by', { name: owner.name, email: owner.email, day: date(invitedOn) })]}
      actions={
        <>
          <Button
            variant="default"
            size="xs"
            disabled={busy}
            aria-label={t(`invitations.${refusal}Named`, { name })}
            onClick={() => onAnswer('declined')}
          >
            {t(isAccepted ? 'invitations.leave' : 'app:decline')}
          </Button>
          {!isAccepted && (
            <Button
              variant="default"
              size="xs"
              disabled={busy}
              aria-label={t('invitations.acceptNamed', { name })}
              onClick={() => onAnswer('accepted')}
            >
              {t('app:accept')}
            </Button>
          )}
        </>
      }
    />
  )
}
