import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { writeCode, writeName } from '../meetings/standing.ts'
import { useTopic } from '../room/use-topic.ts'
import { Visit } from '../room/Visit.tsx'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { sessionQuery } from '../session/session.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { DoorAnswer } from './DoorAnswer.tsx'
import { doorQuery } from './door-query.ts'
import { isOpen, isShut } from './door-state.ts'
import { MeetingFacts } from './MeetingFacts.tsx'
import { NextStep } from './NextStep.tsx'
import { useFragmentSecret } from './use-fragment-secret.ts'

/** The door of a meeting: for anybody who has its link, signed in or not. */
export function JoinPage() {
  const { t } = useTranslation('join')
  const { code } = useParams({ from: '/entrance/j/$code' })
  const { data: person } = useQuery(sessionQuery)
  const brought = useFragmentSecret(`/j/${code}`)
  const [tried, setTried] = useState<{ pin: string; tries: number; again: number }>()
  // Whoever opens the link here once more means its PIN.
  const typed = tried?.again === brought.again ? tried : undefined
  const pin = typed?.pin ?? brought.pin
  const hostKey = typed === undefined ? brought.hostKey : undefined
  const knock = { code, pin, hostKey, tries: typed?.tries ?? 0, again: brought.again, accountId: person?._id }
  const { data, error, isFetching, refetch, dataUpdatedAt } = useQuery({
    ...doorQuery(knock),
    // The answer before stays until the next one is there: a form must not jump away under its reader.
    placeholderData: (before) => before,
  })
  const topic = useTopic(data?.meeting)
  const tryPin = (next: string) => setTried({ pin: next, tries: (typed?.tries ?? 0) + 1, again: brought.again })
  const heading = (
    <Stack gap="xs" mb="md">
      <div>
        <PageTitle>{topic}</PageTitle>
        <Text c="dimmed">{t('code', { code: writeCode(code) })}</Text>
      </div>
      {data?.meeting !== undefined && <MeetingFacts meeting={data.meeting} />}
    </Stack>
  )
  if (data !== undefined && isOpen(data.state)) {
    const accountName = person && (writeName({ name: person.name, lname: person.lname }) || person.email)
    return (
      <Visit
        key={brought.again}
        code={code}
        pin={pin}
        hostKey={hostKey}
        entering={data}
        accountName={accountName ?? undefined}
        heading={heading}
        onDoor={() => void refetch()}
      />
    )
  }
  return (
    <Stack gap="md">
      {heading}
      <ProblemAlert error={error} />
      {error !== null && (
        <Button variant="default" onClick={() => refetch()} loading={isFetching}>
          {t('tryAgain')}
        </Button>
      )}
      {data === undefined && error === null && <Skeleton h={140} />}
      {data !== undefined && isShut(data) && <DoorAnswer entering={data} answeredAt={new Date(dataUpdatedAt)} />}
      {data !== undefined && isShut(data) && (
        <NextStep
          state={data.state}
          code={code}
          pin={pin}
          signedIn={person !== null && person !== undefined}
          busy={isFetching}
          onPin={tryPin}
          onAgain={() => void refetch()}
        />
      )}
    </Stack>
  )
}
