import type { EventReply } from '@parley/contract'
import type { Texts } from '@parley/texts/nouns'
import { useTranslation } from 'react-i18next'

type ActivityKey = keyof Texts['connected-apps']['activity']['did']

/** Say what an app did, from the event that it caused; the type's name for one that no text was written for. */
export function useActivityWords() {
  const { t, i18n } = useTranslation('connected-apps')
  const isWritten = (name: string): name is ActivityKey => i18n.exists(`activity.did.${name}`, { ns: 'connected-apps' })
  return ({ type, data }: EventReply): string => {
    const { topic, response, participant } = data as {
      topic?: string
      response?: string
      participant?: { name: string }
    }
    const key = response ?? type.replaceAll('.', '_')
    if (!isWritten(key)) return type
    return t(`activity.did.${key}`, { topic: topic ?? '', name: participant?.name ?? '' })
  }
}
