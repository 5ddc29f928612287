import { Text } from '@mantine/core'
import type { EntryMeeting } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { differsAt } from '../meetings/times.ts'
import { ownTimeZone, writeSpan, writeZone } from '../texts/dates.ts'
import { writeDistance } from '../texts/distance.ts'
import { useNow } from '../ui/hooks/use-now.ts'

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
  const { t, i18n } = useTranslation(['join', 'app'])
  const now = useNow(tickMs)
  const { nextOccurrence, timeZoneIana } = meeting
  const { startTime, endTime } = nextOccurrence ?? meeting
  const own = { language: i18n.language, timeZone: ownTimeZone() }
  const there = { language: i18n.language, timeZone: timeZoneIana }
  const running = new Date(startTime) <= now
  const ahead = nextOccurrence !== null && new Date(endTime) > now
  return (
    <>
      <Text fw={600}>{writeSpan(startTime, endTime, own)}</Text>
      {ahead && (
        <Text role="timer">
          {t(running ? 'ends' : 'app:starts', {
            distance: writeDistance(running ? endTime : startTime, now, i18n.language),
          })}
        </Text>
      )}
      {differsAt(startTime, own.timeZone, timeZoneIana) && (
        <Text size="sm" c="dimmed">
          {t('inItsZone', { times: writeSpan(startTime, endTime, there), zone: writeZone(startTime, there) })}
        </Text>
      )}
    </>
  )
}
