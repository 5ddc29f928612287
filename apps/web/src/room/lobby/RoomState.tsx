import { Text } from '@mantine/core'
import type { Entering } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { useDates } from '../../texts/dates.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { endPhase } from '../end-phase.ts'
import { useNameOf } from '../room-context.ts'

/** What a person who joins should know of the call: who is in it, and whether its planned time is over. */
export function RoomState({ entering: { inside, endsAt = null } }: { entering: Entering }) {
  return (
    <>
      <WhoIsInside inside={inside} />
      <PlannedTimeOver endsAt={endsAt} />
    </>
  )
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
