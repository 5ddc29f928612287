import { RoomError } from '@parley/client/join'
import { useTranslation } from 'react-i18next'
import { useProblemWords } from '../session/problem-words.ts'
import { showToast } from '../ui/toast.ts'

/** Does something in the room, and says why when it was not done. True when it was. */
export function useAction(): (deed: () => Promise<void>, about?: string) => Promise<boolean> {
  const { t } = useTranslation('room')
  const words = useProblemWords()
  return async (deed, about = 'room') => {
    try {
      await deed()
      return true
    } catch (error) {
      const reason = error instanceof RoomError ? error.reason : undefined
      // The banner says it for as long as it is so.
      if (reason?.startsWith('device_') && (about === 'microphone' || about === 'camera')) return false
      // Who closes the browser's choice of a screen knows that nothing is shared.
      if (reason === 'cancelled') return false
      showToast({ kind: 'problem', about, message: reason === undefined ? words(error) : t(`errors.${reason}`) })
      return false
    }
  }
}
