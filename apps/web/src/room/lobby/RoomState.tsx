import { Text } from '@mantine/core'
import { listen } from '@parley/client'
import { type Entering, type RoomWatch, watchRoom } from '@parley/contract'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { connection } from '../../session/client.ts'
import { useDates } from '../../texts/dates.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { endPhase } from '../notices/end-phase.ts'
import { useWaiting } from '../panels/use-waiting.ts'
import { useNameOf } from '../room-context.ts'
import { useWasInsideHere } from './use-inside-here.ts'

type RoomStateProps = { code: string; entering: Entering }

/** What a person who joins should know of the call: who is in it and waits, and whether its planned time is over. */
export function RoomState({ code, entering }: RoomStateProps) {
  const { t } = useTranslation('room')
  const { state, role, inside, endsAt = null, insideElsewhere } = entering
  const hosts = state === 'admitted' && (role === 'host' || role === 'cohost')
  const waiting = useWaiting(useRoomWatch(code, hosts)).length
  const wasHere = useWasInsideHere(code)
  return (
    <>
      <div role="status">
        {(waiting === 0 || inside?.count !== 0) && <WhoIsInside inside={inside} />}
        {waiting > 0 && <Text>{t('announcements.many.waiting', { count: waiting })}</Text>}
      </div>
      {insideElsewhere === true && !wasHere && <Text>{t('lobby.insideElsewhere')}</Text>}
      <PlannedTimeOver endsAt={endsAt} />
    </>
  )
}

/** What hosts see of the room before they join; null for others, and until it is known. */
function useRoomWatch(svcMeetId: string, hosts: boolean): RoomWatch | null {
  const [watch, setWatch] = useState<RoomWatch | null>(null)
  useEffect(() => {
    if (!hosts) return
    const over = new AbortController()
    void follow()
    return () => over.abort()

    async function follow() {
      try {
        for await (const seen of listen(connection, watchRoom, { params: { svcMeetId } }, { signal: over.signal }))
          if (!over.signal.aborted) setWatch(seen)
      } catch {
        // The room says it after joining.
      }
      if (!over.signal.aborted) setWatch(null)
    }
  }, [svcMeetId, hosts])
  return watch
}

const checkEveryMs = 15_000

function PlannedTimeOver({ endsAt }: { endsAt: string | null }) {
  const { t } = useTranslation('room')
  const { time } = useDates()
  if (endPhase(endsAt, useNow(checkEveryMs)) !== 'over' || endsAt === null) return null
  return <Text>{t('callEnd.lobby', { time: time(endsAt) })}</Text>
}

type NoHostCameProps = { endsAt: string | null; hostName: string }

/** Shown to a person who waits for a host beyond the planned end. */
export function NoHostCame({ endsAt, hostName }: NoHostCameProps) {
  const { t } = useTranslation('room')
  const { time } = useDates()
  if (endPhase(endsAt, useNow(checkEveryMs)) !== 'over' || endsAt === null) return null
  return <Text>{t('callEnd.noHost', { time: time(endsAt), name: hostName })}</Text>
}

/** The people inside; nothing when the service does not reveal them. */
function WhoIsInside({ inside }: { inside: Entering['inside'] }) {
  const { t, i18n } = useTranslation('room')
  const nameOf = useNameOf()
  if (inside === undefined) return null
  const { count, people } = inside
  if (count === 0) return <Text c="dimmed">{t('lobby.inside.none')}</Text>
  const shown = people.map(({ name, guest }) => nameOf({ name, isGuest: guest }))
  const more = count - shown.length
  const all = more > 0 ? [...shown, t('lobby.inside.more', { count: more })] : shown
  return <Text>{t('lobby.inside.people', { names: new Intl.ListFormat(i18n.language).format(all) })}</Text>
}
