import type { SingleMeetingReply } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeSpan, writeZone } from '../../texts/dates.ts'
import { useNow } from '../../ui/hooks/use-now.ts'
import { nextDatesQuery } from '../meeting-queries.ts'
import { writeCode, writeName } from '../meeting-status.ts'
import { useRepeatSentence } from '../use-repeat-sentence.ts'

const tickMs = 60_000

/** The text of an invitation mail: host, topic, time with time zone, and how to join. */
export function useInvitationText(meeting: SingleMeetingReply): string {
  const { t, i18n } = useTranslation('meeting')
  const repeats = useRepeatSentence(meeting)
  const { topic, meetingUrl, svcMeetId, pin, hostInfo } = meeting
  const now = useNow(tickMs)
  const { data } = useQuery({ ...nextDatesQuery(meeting._id), enabled: meeting.recur })
  // The first date of a running series is in the past.
  const { startTime, endTime } = data?.active.find((date) => new Date(date.endTime) > now) ?? meeting
  const dateFormat = { language: i18n.language, timeZone: ownTimeZone() }
  return [
    t('invitation.text.opening', { name: writeName(hostInfo) }),
    '',
    t('invitation.text.topic', { topic }),
    t('invitation.text.when', {
      times: writeSpan(startTime, endTime, dateFormat),
      zone: writeZone(startTime, dateFormat),
    }),
    ...(repeats === '' ? [] : [t('invitation.text.repeats', { rule: repeats })]),
    '',
    t('invitation.text.link', { link: meetingUrl }),
    t('invitation.text.code', { code: writeCode(svcMeetId), pin }),
  ].join('\n')
}
