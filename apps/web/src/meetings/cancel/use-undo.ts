import { undoCancellation } from '@parley/contract'
import { undoableMs } from '@parley/rules/meetings/undo'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { useProblemWords } from '../../session/problem-words.ts'
import { usePerson } from '../../session/session.ts'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { readClockMs } from '../../ui/hooks/use-now.ts'
import { showToast } from '../../ui/toast.ts'
import { mayPass, useRestoreDate } from '../occurrence/use-restore-date.ts'
import { deleteUndo, type KeptUndo, keepUndo, readUndos } from './kept-undo.ts'

/** The offer ends a little before the service's time, so that a click on it arrives in time. */
const marginMs = 3_000

type Cancelled = Omit<KeptUndo, 'until' | 'accountId'>

/** Offer the undo of a cancellation while the service holds back its emails, also after a reload of the page. */
export function useUndo() {
  const { t } = useTranslation(['schedule', 'app'])
  const { _id: accountId } = usePerson()
  const words = useProblemWords()
  const queryClient = useQueryClient()
  const restoringDate = useRestoreDate()
  const restoring = useMutation({
    mutationFn: ({ meetingId }: Cancelled) => client.call(undoCancellation, { params: { meetingId } }),
    onSuccess: ({ topic }, { meetingId }) => showToast({ about: meetingId, message: t('cancel.undone', { topic }) }),
    onError: (error, cancelled) =>
      showToast({
        about: cancelled.meetingId,
        kind: 'problem',
        message: words(error),
        ...(mayPass(error) && { action: { label: t('app:tryAgain'), run: () => restoring.mutate(cancelled) } }),
      }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['meetings'] }),
  })
  const show = (kept: KeptUndo) => {
    const { meetingId, originalStartTime, sendUpdates, message, until } = kept
    const undo = () => {
      deleteUndo(kept)
      if (originalStartTime === undefined) restoring.mutate(kept)
      else restoringDate.mutate({ meetingId, originalStartTime, sendUpdates })
    }
    showToast({ about: originalStartTime ?? meetingId, message, undo, until })
  }
  return {
    /** Show what was cancelled, with its undo. */
    offer(cancelled: Cancelled) {
      const kept = { ...cancelled, accountId, until: readClockMs() + undoableMs - marginMs }
      keepUndo(kept)
      show(kept)
    },
    /** Show an offer from before the page was reloaded. */
    show,
  }
}

/** Read once, before anything is cancelled on this load. */
const fromBeforeReload = readUndos(readClockMs())

/** Offer again, after a reload, what can still be undone. */
export function useKeptUndos() {
  const { _id: accountId } = usePerson()
  const { show } = useUndo()
  const latest = useRef(show)
  latest.current = show
  useEffect(() => {
    const now = readClockMs()
    for (const kept of fromBeforeReload.splice(0))
      if (kept.accountId === accountId && kept.until > now) latest.current(kept)
  }, [accountId])
}
