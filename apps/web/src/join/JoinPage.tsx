import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { writeCode } from '../meetings/standing.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { sessionQuery } from '../session/session.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { DoorAnswer } from './DoorAnswer.tsx'
import { doorQuery } from './door-query.ts'
import { MeetingFacts } from './MeetingFacts.tsx'
import { NextStep } from './NextStep.tsx'
import { useFragmentSecret } from './use-fragment-secret.ts'

/** The door of a meeting: for anybody who has its link, signed in or not. */
export function JoinPage() {
  const { t } = useTranslation('join')
  const { code } = useParams({ from: '/entrance/j/$code' })
  const { data: person } = useQuery(sessionQuery)
  const brought = useFragmentSecret(`/j/${code}`)
  const [typed, setTyped] = useState<{ pin: string; tries: number }>()
  const pin = typed?.pin ?? brought.pin
  const hostKey = typed === undefined ? brought.hostKey : undefined
  const knock = { code, pin, hostKey, tries: typed?.tries ?? 0, accountId: person?._id }
  const { data, error, isFetching, refetch, dataUpdatedAt } = useQuery({
    ...doorQuery(knock),
    // The answer before stays until the next one is there: a form must not jump away under its reader.
    placeholderData: (before) => before,
  })
  const tryPin = (next: string) => setTyped({ pin: next, tries: (typed?.tries ?? 0) + 1 })
  return (
    <Stack gap="md">
      <div>
        <PageTitle>{data?.meeting?.topic ?? t('title')}</PageTitle>
        <Text c="dimmed">{t('code', { code: writeCode(code) })}</Text>
      </div>
      <ProblemAlert error={error} />
      {error !== null && (
        <Button variant="default" onClick={() => refetch()} loading={isFetching}>
          {t('tryAgain')}
        </Button>
      )}
      {data === undefined && error === null && <Skeleton h={140} />}
      {data?.meeting !== undefined && <MeetingFacts meeting={data.meeting} />}
      {data !== undefined && <DoorAnswer entering={data} answeredAt={new Date(dataUpdatedAt)} />}
      {data !== undefined && (
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
