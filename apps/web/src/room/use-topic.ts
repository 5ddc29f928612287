import type { MeetingAtTheDoor } from '@parley/contract'
import { useTranslation } from 'react-i18next'

/** What a meeting is called; somebody's own room has no topic, but an owner. */
export function useTopic(meeting: MeetingAtTheDoor | null | undefined): string {
  const { t } = useTranslation('join')
  const { kind, topic = '', hostName = '' } = meeting ?? {}
  if (kind === 'own_room' && hostName !== '') return t('ownRoom', { name: hostName })
  return topic === '' ? t('title') : topic
}
