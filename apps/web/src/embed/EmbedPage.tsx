import { Button, Skeleton, Stack, Text } from '@mantine/core'
import { isProblem, listen, ProblemError } from '@parley/client'
import { redeemEmbedTicket, watchAdmission } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { entryQuery, isClosed, isOpen } from '../join/entry-query.ts'
import { AskAgain, JoinDenied } from '../join/JoinDenied.tsx'
import { MeetingFacts } from '../join/JoinPage.tsx'
import { PinForm } from '../join/PinForm.tsx'
import { EmbeddingProvider } from '../room/embedding.ts'
import { useReadmission } from '../room/use-readmission.ts'
import { useTopic } from '../room/use-topic.ts'
import { Visit } from '../room/Visit.tsx'
import { client, connection } from '../session/client.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { PageTitle } from '../ui/Page.tsx'
import { createFrameChannel, type FrameChannel } from './frame-channel.ts'
import { readFrameAddress } from './frame-messages.ts'
import { useFrameRoom } from './use-frame-room.ts'

const listedOrigins = () => document.querySelector<HTMLMetaElement>('meta[name="parley-embed-origins"]')?.content ?? ''

type Entry = { kind: 'alone' | 'waiting' | 'refused' | 'ended' } | { kind: 'open'; name: string }

/** The page of an embedded meeting: it waits for the ticket of the page around it, and then is the join page. */
export function EmbedPage() {
  const { t } = useTranslation('embed')
  const [address] = useState(() => readFrameAddress(window.location, listedOrigins()))
  const [channel] = useState(() => createFrameChannel(address))
  const [entry, setEntry] = useState<Entry>({ kind: window.parent === window ? 'alone' : 'waiting' })
  const { code, clientId } = address
  useTicket(channel, { code, clientId }, setEntry)
  if (entry.kind === 'open') {
    const end = () => {
      channel.send({ type: 'error', code: 'unauthorized' })
      delete connection.token
      setEntry({ kind: 'ended' })
    }
    return <OpenMeeting code={code} name={entry.name} channel={channel} onEnd={end} />
  }
  if (entry.kind === 'waiting') return <Skeleton h={140} role="status" aria-label={t('waiting')} />
  return (
    <div role="status">
      <PageTitle>{t(`notices.${entry.kind}.title`)}</PageTitle>
      <Text>{t(`notices.${entry.kind}.text`)}</Text>
    </div>
  )
}

/** Exchange the first ticket of the page around the frame for the token of the room, which is in memory alone. */
function useTicket(
  channel: FrameChannel,
  { code, clientId }: { code: string; clientId: string },
  setEntry: (entry: Entry) => void,
): void {
  useEffect(() => {
    let isBusy = false
    const stop = channel.listen((command, origin) => {
      if (command.type !== 'ticket' || isBusy || connection.token !== undefined) return
      isBusy = true
      channel.keepTo(origin)
      const body = { ticket: command.ticket, clientId, origin }
      client.call(redeemEmbedTicket, { params: { svcMeetId: code }, body }).then(
        ({ token, name }) => {
          connection.token = token
          setEntry({ kind: 'open', name })
        },
        (error) => {
          isBusy = false
          channel.send({ type: 'error', code: error instanceof ProblemError ? error.problem.code : 'unknown' })
          setEntry({ kind: 'refused' })
        },
      )
    })
    if (window.parent !== window) channel.send({ type: 'ready' })
    return stop
  }, [channel, code, clientId, setEntry])
}

type OpenMeetingProps = { code: string; name: string; channel: FrameChannel; onEnd(): void }

/** The join page in a frame: without ways to other pages, and for the user of the app alone. */
function OpenMeeting({ code, name, channel, onEnd }: OpenMeetingProps) {
  const { t } = useTranslation('app')
  const embedding = useFrameRoom(channel)
  const [pin, setPin] = useState<string>()
  const [tries, setTries] = useState(0)
  const [asksAgain, setAsksAgain] = useState(false)
  const { data, error, isFetching, isPlaceholderData, refetch, dataUpdatedAt } = useQuery({
    ...entryQuery({ code, pin, hostKey: undefined, tries, again: 0, accountId: undefined }),
    placeholderData: (before) => before,
  })
  const isDeclined = data?.state === 'denied'
  const lookAgain = () => {
    setAsksAgain(false)
    void refetch()
  }
  useReadmission({ code, admissionId: isDeclined && !asksAgain ? data.admissionId : undefined, onAdmitted: lookAgain })
  useEndOfAccess({ code, admissionId: data?.admissionId, error, onEnd })
  const topic = useTopic(data?.meeting)
  const heading = (
    <Stack gap="xs" mb="md">
      <PageTitle>{topic}</PageTitle>
      {data?.meeting !== undefined && <MeetingFacts meeting={data.meeting} />}
    </Stack>
  )
  if (data !== undefined && (isOpen(data.state) || (isDeclined && asksAgain))) {
    return (
      <EmbeddingProvider value={embedding}>
        <Visit
          code={code}
          pin={pin}
          hostKey={undefined}
          entering={isDeclined ? { ...data, state: 'waiting' } : data}
          accountName={name}
          heading={heading}
          asksAgain={asksAgain}
          joinsAtOnce={() => false}
          onEntryChange={lookAgain}
          onAskAgain={() => setAsksAgain(true)}
        />
      </EmbeddingProvider>
    )
  }
  const answeredAt = new Date(dataUpdatedAt)
  const state = data?.state
  const isAskable = ['slow_down', 'locked', 'full', 'not_invited', undefined].includes(state)
  return (
    <Stack gap="md">
      {heading}
      <ProblemAlert error={error} />
      {data === undefined && error === null && <Skeleton h={140} />}
      {data !== undefined && isClosed(data) && (
        <JoinDenied entering={data} answeredAt={answeredAt} code={isPlaceholderData ? undefined : code} />
      )}
      {(state === 'pin_required' || state === 'pin_wrong') && (
        <WantedPin
          busy={isFetching}
          isWrong={state === 'pin_wrong'}
          onPin={(typed) => {
            setPin(typed)
            setTries(tries + 1)
          }}
        />
      )}
      {isDeclined && (
        <AskAgain
          from={new Date(answeredAt.getTime() + (data.retryAfter ?? 0) * 1_000)}
          onAskAgain={() => setAsksAgain(true)}
        />
      )}
      {isAskable && (data !== undefined || error !== null) && (
        <Button variant="default" fullWidth loading={isFetching} onClick={() => void refetch()}>
          {t('tryAgain')}
        </Button>
      )}
    </Stack>
  )
}

function WantedPin({ busy, isWrong, onPin }: { busy: boolean; isWrong: boolean; onPin(pin: string): void }) {
  const { t } = useTranslation('join')
  return <PinForm busy={busy} error={isWrong ? t('states.pin_wrong.text') : undefined} onSubmit={onPin} />
}

type Watched = { code: string; admissionId: string | undefined; error: unknown; onEnd(): void }

/**
 * Notice at once that the app may no longer act for its user: it was suspended or disconnected, or the token has
 * expired. The stream of the admission ends then, before and after the person joins.
 */
function useEndOfAccess({ code, admissionId, error, onEnd }: Watched): void {
  const [isOver, setOver] = useState(false)
  useEffect(() => {
    if (admissionId === undefined) return
    const closed = new AbortController()
    const request = { params: { svcMeetId: code, admissionId } }
    const noticeEnd = (failure: unknown) => {
      if (isProblem(failure, 'unauthorized', 'insufficient_scope')) setOver(true)
    }
    const watch = async () => {
      const onLost = (failures: number) => void (failures === 1 && lookOnce().catch(noticeEnd))
      for await (const _ of listen(connection, watchAdmission, request, { signal: closed.signal, onLost })) void _
    }
    // The stream opens again after a second; why it has ended is known before that.
    const lookOnce = async () => {
      const once = new AbortController()
      const signal = AbortSignal.any([once.signal, closed.signal])
      for await (const _ of listen(connection, watchAdmission, request, { signal })) once.abort()
    }
    watch().catch(noticeEnd)
    return () => closed.abort()
  }, [code, admissionId])
  const hasEnded = isOver || isProblem(error, 'unauthorized', 'insufficient_scope')
  useEffect(() => {
    if (hasEnded) onEnd()
  })
}
