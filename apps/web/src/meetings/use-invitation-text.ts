import type { SingleMeetingReply } from '@parley/contract'
import { useTranslation } from 'react-i18next'
import { ownTimeZone, writeSpan, writeZone } from '../texts/dates.ts'
import { writeCode, writeName } from './standing.ts'
import { useRepeatSentence } from './use-repeat-sentence.ts'

/** The invitation as people would mail it: who, what, when and in which zone, and how to get in. */
export function useInvitationText(meeting: SingleMeetingReply): string {
  const { t, i18n } = useTranslation('meetings')
  const repeats = useRepeatSentence(meeting)
  const { topic, startTime, endTime, meetingUrl, svcMeetId, pin, hostInfo } = meeting
  const where = { language: i18n.language, timeZone: ownTimeZone() }
  return [
    t('invitation.text.opening', { name: writeName(hostInfo) }),
    '',
    t('invitation.text.topic', { topic }),
    t('invitation.text.when', { times: writeSpan(startTime, endTime, where), zone: writeZone(startTime, where) }),
    ...(repeats === '' ? [] : [t('invitation.text.repeats', { rule: repeats })]),
    '',
    t('invitation.text.link', { link: meetingUrl }),
    t('invitation.text.code', { code: writeCode(svcMeetId), pin }),
  ].join('\n')
}
