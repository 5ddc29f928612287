import { ProblemError } from '@parley/client'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useFieldErrors } from '../../../session/field-errors.ts'
import { useProblemWords } from '../../../session/problem-words.ts'
import { ownTimeZone, writeSpan } from '../../../texts/dates.ts'
import { useMutation } from '../../../ui/hooks/use-mutation.ts'
import { showToast } from '../../../ui/toast.ts'
import type { Times } from './moved-times.ts'
import { type MoveRequest, saveMove } from './save-move.ts'

/** Where the date was before the move. */
type UndoableMove = MoveRequest & { before: Times }

/**
 * Save a move, and say how it went. `onEnd` gets the times at which the date is then: the former ones when the service
 * refused. The move of a single date can be undone in the toast.
 */
export function useSaveMove(onEnd: (times: Times) => void) {
  const { t, i18n } = useTranslation('occurrence')
  const reasonOf = useReason()
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['meetings'] })
  const showFailure = (topic: string) => (error: unknown) =>
    showToast({ kind: 'problem', about: topic, message: t('move.failed', { topic, reason: reasonOf(error) }) })

  const undoing = useMutation({
    mutationFn: saveMove,
    onSuccess: (_, { meeting: { topic } }) => showToast({ about: topic, message: t('move.backAgain', { topic }) }),
    onError: (error, { meeting }) => showFailure(meeting.topic)(error),
    onSettled: refresh,
  })
  return useMutation({
    mutationFn: (move: UndoableMove) => saveMove(move),
    onSuccess: async (etag, move) => {
      const { meeting, times, before, extent } = move
      const { topic } = meeting
      const words = writeSpan(times.startTime, times.endTime, { language: i18n.language, timeZone: ownTimeZone() })
      const undo = () => undoing.mutate({ ...move, etag, times: before })
      showToast({
        about: topic,
        message: t('move.done', { topic, times: words }),
        ...((extent === 'one' || extent === 'single') && { undo }),
      })
      await refresh()
      onEnd(times)
    },
    onError: (error, { meeting, before }) => {
      showFailure(meeting.topic)(error)
      onEnd(before)
      return refresh()
    },
  })
}

/** Why a move was refused, in one sentence. */
function useReason(): (error: unknown) => string {
  const { t } = useTranslation('occurrence')
  const words = useProblemWords()
  const fieldErrors = useFieldErrors()
  return (error) => {
    const violations = (error instanceof ProblemError && error.problem.errors) || []
    if (violations.some(({ code }) => code === 'not_between_neighbours')) return t('move.pastNeighbour')
    return Object.values(fieldErrors(error))[0] ?? words(error)
  }
}
