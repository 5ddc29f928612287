import { RoomError } from '@parley/client/join'
import { useTranslation } from 'react-i18next'
import { useProblemWords } from '../session/problem-words.ts'
import { showToast } from '../ui/toast.ts'

/** Run an action in the room, and show an error when it failed. Resolves to true on success. */
export function useAction(): (action: () => Promise<void>, about?: string) => Promise<boolean> {
  const { t } = useTranslation('room')
  const words = useProblemWords()
  return async (action, about = 'room') => {
    try {
      await action()
      return true
    } catch (error) {
      const reason = error instanceof RoomError ? error.reason : undefined
      // The banner about the device already says so.
      if (reason?.startsWith('device_') && (about === 'microphone' || about === 'camera')) return false
      // A user who closes the browser's screen picker needs no message.
      if (reason === 'cancelled') return false
      showToast({ kind: 'problem', about, message: reason === undefined ? words(error) : t(`errors.${reason}`) })
      return false
    }
  }
}
