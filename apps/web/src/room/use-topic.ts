import type { EntryMeeting } from '@parley/contract'
import { useTranslation } from 'react-i18next'

/** A meeting's title: its topic, or the owner's name for an own room. */
export function useTopic(meeting: EntryMeeting | null | undefined): string {
  const { t } = useTranslation('join')
  const { kind, topic = '', hostName = '' } = meeting ?? {}
  if (kind === 'own_room' && hostName !== '') return t('ownRoom', { name: hostName })
  return topic === '' ? t('title') : topic
}
