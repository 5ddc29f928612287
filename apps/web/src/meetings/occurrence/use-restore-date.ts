import { ProblemError } from '@parley/client'
import { restoreOccurrence } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { useProblemWords } from '../../session/problem-words.ts'
import { ownTimeZone, writeSpan } from '../../texts/dates.ts'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { showToast } from '../../ui/toast.ts'

type CancelledDate = { meetingId: string; originalStartTime: string; sendUpdates: 'all' | 'none' }

/**
 * Let a cancelled date take place again, also after the calling component is gone. The toast says how it went; where a
 * new attempt may help, it offers one: the undo is not kept for the next connection, because it would happen unseen.
 */
export function useRestoreDate() {
  const { t, i18n } = useTranslation(['occurrence', 'app'])
  const words = useProblemWords()
  const queryClient = useQueryClient()
  const restoring = useMutation({
    mutationFn: ({ meetingId, originalStartTime, sendUpdates }: CancelledDate) =>
      client.call(restoreOccurrence, {
        params: { meetingId, originalStart: originalStartTime },
        query: { sendUpdates },
      }),
    onSuccess: ({ startTime, endTime }, { originalStartTime }) => {
      const date = writeSpan(startTime, endTime, { language: i18n.language, timeZone: ownTimeZone() })
      showToast({ about: originalStartTime, message: t('restored', { date }) })
    },
    onError: (error, cancelled) =>
      showToast({
        about: cancelled.originalStartTime,
        kind: 'problem',
        message: `${t('notRestored')} ${words(error)}`,
        ...(mayPass(error) && { action: { label: t('app:tryAgain'), run: () => restoring.mutate(cancelled) } }),
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['meetings'] }),
  })
  return restoring
}

/** No response, or a failure of the service. */
export const mayPass = (error: unknown) => !(error instanceof ProblemError) || error.problem.status >= 500
