import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { writeCode, writeName } from '../meetings/meeting-status.ts'
import { useReadmission } from '../room/use-readmission.ts'
import { useTopic } from '../room/use-topic.ts'
import { Visit } from '../room/Visit.tsx'
import type { JoinSecret } from '../session/kept-secrets.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { sessionQuery } from '../session/session.ts'
import { PageTitle } from '../ui/PageTitle.tsx'
import { entryQuery } from './entry-query.ts'
import { isClosed, isOpen } from './entry-state.ts'
import { JoinDenied } from './JoinDenied.tsx'
import { takeJoinAtOnce } from './join-at-once.ts'
import { MeetingFacts } from './MeetingFacts.tsx'
import { NextStep } from './NextStep.tsx'
import { useFragmentSecret } from './use-fragment-secret.ts'
import { useKeptSecret } from './use-kept-secret.ts'

/** The join page of a meeting, for everyone who has its link, with or without an account. */
export function JoinPage() {
  const { t } = useTranslation(['join', 'app'])
  const { code } = useParams({ from: '/entrance/j/$code' })
  const { data: person, isPending: isSessionPending } = useQuery(sessionQuery)
  const linkSecret = useFragmentSecret(`/j/${code}`, code)
  const [tried, setTried] = useState<JoinSecret & { code: string; tries: number; again: number }>()
  // Opening a link on this page again takes precedence over a typed PIN.
  const typed = tried?.again === linkSecret.again && tried.code === code ? tried : undefined
  const { pin, hostKey } = typed ?? linkSecret
  const request = { code, pin, hostKey, tries: typed?.tries ?? 0, again: linkSecret.again, accountId: person?._id }
  const { data, error, isFetching, isPlaceholderData, refetch, dataUpdatedAt } = useQuery({
    ...entryQuery(request),
    // Request once, after the session is known: each wrong PIN counts.
    enabled: !isSessionPending,
    // Keep the previous answer until the next arrives, so that a form does not move while it is read.
    placeholderData: (before) => before,
  })
  useKeptSecret({ code, pin, hostKey, answer: isPlaceholderData ? undefined : data })
  const [asksAgain, setAsksAgain] = useState(false)
  const queryClient = useQueryClient()
  const isDeclined = data?.state === 'denied'
  useReadmission({
    code,
    admissionId: isDeclined && !asksAgain ? data.admissionId : undefined,
    onAdmitted: () => void refetch(),
  })
  const topic = useTopic(data?.meeting)
  const trySecret = (secret: JoinSecret) =>
    setTried({ ...secret, code, tries: (typed?.tries ?? 0) + 1, again: linkSecret.again })
  const heading = (
    <Stack gap="xs" mb="md">
      <div>
        <PageTitle>{topic}</PageTitle>
        <Text c="dimmed">{t('code', { code: writeCode(code) })}</Text>
      </div>
      {data?.meeting !== undefined && <MeetingFacts meeting={data.meeting} />}
    </Stack>
  )
  const lookAgain = () => {
    setAsksAgain(false)
    void refetch()
  }
  // Asking again leads to the lobby, like waiting does.
  if (data !== undefined && (isOpen(data.state) || (isDeclined && asksAgain))) {
    const accountName = person && (writeName({ name: person.name, lname: person.lname }) || person.email)
    return (
      <Visit
        key={linkSecret.again}
        code={code}
        pin={pin}
        hostKey={hostKey}
        entering={isDeclined ? { ...data, state: 'waiting' } : data}
        accountName={accountName ?? undefined}
        heading={heading}
        asksAgain={asksAgain}
        joinsAtOnce={() => takeJoinAtOnce(queryClient, code)}
        onEntryChange={lookAgain}
        onAskAgain={() => setAsksAgain(true)}
      />
    )
  }
  return (
    <Stack gap="md">
      {heading}
      <ProblemAlert error={error} />
      {error !== null && (
        <Button variant="default" onClick={() => refetch()} loading={isFetching}>
          {t('app:tryAgain')}
        </Button>
      )}
      {data === undefined && error === null && <Skeleton h={140} />}
      {data !== undefined && isClosed(data) && <JoinDenied entering={data} answeredAt={new Date(dataUpdatedAt)} />}
      {data !== undefined && isClosed(data) && (
        <NextStep
          state={data.state}
          code={code}
          signedIn={person !== null && person !== undefined}
          busy={isFetching}
          onSecret={trySecret}
          answeredAt={new Date(dataUpdatedAt)}
          retryAfter={data.retryAfter}
          onAgain={() => void refetch()}
          onAskAgain={() => setAsksAgain(true)}
        />
      )}
    </Stack>
  )
}
