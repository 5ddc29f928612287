import { changeOccurrence, type OccurrenceReply, undoOccurrenceChange } from '@parley/contract'
import { meetingTextNames } from '@parley/contract/meeting-fields'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { useProblemWords } from '../../session/problem-words.ts'
import { ownTimeZone, writeSpan } from '../../texts/dates.ts'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { showToast } from '../../ui/toast.ts'

type ChangedDate = { meetingId: string; occurrence: OccurrenceReply }

/** Give a changed date the times and texts of the series again. The toast offers to change it back. */
export function useTakeBack() {
  const { t, i18n } = useTranslation('occurrence')
  const words = useProblemWords()
  const queryClient = useQueryClient()
  const showError = (error: unknown) => showToast({ kind: 'problem', message: words(error) })
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['meetings'] })
  const paramsOf = ({ meetingId, occurrence }: ChangedDate) => ({
    meetingId,
    originalStart: occurrence.originalStartTime,
  })
  const changingAgain = useMutation({
    mutationFn: (changed: ChangedDate) => {
      const { startTime, endTime } = changed.occurrence
      const own = meetingTextNames.filter((name) => changed.occurrence[name] !== undefined)
      const texts = Object.fromEntries(own.map((name) => [name, changed.occurrence[name]]))
      return client.call(changeOccurrence, { params: paramsOf(changed), body: { startTime, endTime, ...texts } })
    },
    onError: showError,
    onSettled: refresh,
  })
  return useMutation({
    mutationFn: (changed: ChangedDate) => client.call(undoOccurrenceChange, { params: paramsOf(changed) }),
    onSuccess: ({ startTime, endTime }, changed) => {
      const date = writeSpan(startTime, endTime, { language: i18n.language, timeZone: ownTimeZone() })
      showToast({ message: t('tookBack', { date }), undo: () => changingAgain.mutate(changed) })
    },
    onError: showError,
    onSettled: refresh,
  })
}
