import { useTranslation } from 'react-i18next'
import { useProblemWords } from '../session/problem-words.ts'
import { showToast } from '../ui/toast.ts'
import { useRestoreMeeting } from './meeting-mutations.ts'

type Cancelled = { recur: boolean; endTime: string }

/** Whether a cancelled meeting may have a date ahead. Of a series, the server knows. */
export const mayRestore = ({ recur, endTime }: Cancelled, now: Date): boolean => recur || new Date(endTime) > now

/** Restore a cancelled meeting, and say what became of it. */
export function useRestore() {
  const { t } = useTranslation('schedule')
  const words = useProblemWords()
  return useRestoreMeeting({
    onSaved: ({ topic }, { meetingId }) => showToast({ about: meetingId, message: t('cancel.undone', { topic }) }),
    onError: (error, { meetingId }) => showToast({ about: meetingId, kind: 'problem', message: words(error) }),
  })
}
