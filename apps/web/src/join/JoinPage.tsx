import { Button, Skeleton, Stack, Text } from '@mantine/core'
import type { Entering, EntryMeeting } from '@parley/contract'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { writeCode, writeName } from '../meetings/meeting-status.ts'
import { differsAt } from '../meetings/times.ts'
import { useReadmission } from '../room/use-readmission.ts'
import { useTopic } from '../room/use-topic.ts'
import { Visit } from '../room/Visit.tsx'
import { clearSecret, type JoinSecret, keepSecret } from '../session/kept-secrets.ts'
import { useHostLook } from '../session/organisation.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { sessionQuery } from '../session/session.ts'
import { ownTimeZone, useDates } from '../texts/dates.ts'
import { useNow } from '../ui/hooks/use-now.ts'
import { PageTitle } from '../ui/Page.tsx'
import { entryQuery, isClosed, isOpen } from './entry-query.ts'
import { takeJoinAtOnce } from './join-at-once.ts'
import { useFragmentSecret } from './use-fragment-secret.ts'

// Fetched by those who may not enter: their forms bring more code than the lobby.
const JoinDenied = lazy(async () => ({ default: (await import('./JoinDenied.tsx')).JoinDenied }))
const NextStep = lazy(async () => ({ default: (await import('./JoinDenied.tsx')).NextStep }))

/** The join page of a meeting, for everyone who has its link, with or without an account. */
export function JoinPage() {
  const { t } = useTranslation(['join', 'app'])
  const { code } = useParams({ from: '/public/j/$code' })
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
  useHostLook(data?.organisation)
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
      {data !== undefined && isClosed(data) && (
        <Suspense fallback={<Skeleton h={140} />}>
          <JoinDenied
            entering={data}
            answeredAt={new Date(dataUpdatedAt)}
            code={isPlaceholderData ? undefined : code}
          />
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
        </Suspense>
      )}
    </Stack>
  )
}

const tickMs = 1_000

/** Identify the meeting: its host, its time, and the time left until then. */
export function MeetingFacts({ meeting }: { meeting: EntryMeeting }) {
  const { t } = useTranslation(['join', 'app'])
  const { kind, hostName } = meeting
  return (
    <div>
      {hostName !== '' && <Text>{t('app:hostedBy', { name: hostName })}</Text>}
      {kind === 'own_room' ? <Text>{t('noTime')}</Text> : <EntryTimes meeting={meeting} />}
    </div>
  )
}

function EntryTimes({ meeting }: { meeting: EntryMeeting }) {
  const { t } = useTranslation(['join', 'app'])
  const now = useNow(tickMs)
  const { nextOccurrence, timeZoneIana } = meeting
  const { startTime, endTime } = nextOccurrence ?? meeting
  const own = useDates()
  const there = useDates(timeZoneIana)
  const running = new Date(startTime) <= now
  const ahead = nextOccurrence !== null && new Date(endTime) > now
  return (
    <>
      <Text fw={600}>{own.range(startTime, endTime)}</Text>
      {ahead && (
        <Text role="timer">
          {t(running ? 'ends' : 'app:starts', {
            distance: own.countdown(running ? endTime : startTime, now),
          })}
        </Text>
      )}
      {differsAt(startTime, ownTimeZone(), timeZoneIana) && (
        <Text size="sm" c="dimmed">
          {t('inItsZone', { times: there.range(startTime, endTime), zone: there.zone(startTime) })}
        </Text>
      )}
    </>
  )
}

type Tried = { [Name in keyof JoinSecret]-?: string | undefined } & {
  code: string
  /** Undefined until the answer arrives. */
  answer: Entering | undefined
}

/** Keep an accepted secret for the next reload, and delete a wrong one. */
function useKeptSecret({ code, pin, hostKey, answer }: Tried): void {
  useEffect(() => {
    if (answer?.state === 'pin_wrong') clearSecret(sessionStorage, code)
    else if (answer?.meeting !== undefined && (pin !== undefined || hostKey !== undefined)) {
      keepSecret(sessionStorage, code, { ...(pin !== undefined && { pin }), ...(hostKey !== undefined && { hostKey }) })
    }
  }, [code, pin, hostKey, answer])
}
