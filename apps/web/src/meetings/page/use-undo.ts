import { ProblemError } from '@parley/client'
import type { OccurrenceReply } from '@parley/contract'
import { meetingTextNames } from '@parley/contract/meeting-fields'
import { undoableMs } from '@parley/rules/meetings/undo'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useProblemWords } from '../../session/problem-words.ts'
import { usePerson } from '../../session/session.ts'
import { useDates } from '../../texts/dates.ts'
import { readClockMs } from '../../ui/hooks/use-now.ts'
import { showToast } from '../../ui/toast.ts'
import { useChangeDate, useRestoreDate, useUndoCancellation, useUndoDateChange } from '../meeting-mutations.ts'
import { deleteUndo, type KeptUndo, keepUndo, readUndos } from './kept-undo.ts'

/** The offer ends a little before the service's time, so that a click on it arrives in time. */
const marginMs = 3_000

type Cancelled = Omit<KeptUndo, 'until' | 'accountId'>

/** Offer the undo of a cancellation while the service holds back its emails, also after a reload of the page. */
export function useUndo() {
  const { t } = useTranslation(['schedule', 'app'])
  const { _id: accountId } = usePerson()
  const words = useProblemWords()
  const restoringDate = useUndoOfDate()
  const restoring = useUndoCancellation<Cancelled>({
    onSaved: ({ topic }, { meetingId }) => showToast({ about: meetingId, message: t('cancel.undone', { topic }) }),
    onError: (error, cancelled) =>
      showToast({
        about: cancelled.meetingId,
        kind: 'problem',
        message: words(error),
        ...(mayPass(error) && { action: { label: t('app:tryAgain'), run: () => restoring.mutate(cancelled) } }),
      }),
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

/**
 * Let a cancelled date take place again, also after the calling component is gone. The toast says how it went; where a
 * new attempt may help, it offers one: the undo is not kept for the next connection, because it would happen unseen.
 */
export function useUndoOfDate() {
  const { t } = useTranslation(['occurrence', 'app'])
  const dates = useDates()
  const words = useProblemWords()
  const restoring = useRestoreDate({
    onSaved: ({ startTime, endTime }, { originalStartTime }) => {
      const date = dates.range(startTime, endTime)
      showToast({ about: originalStartTime, message: t('restored', { date }) })
    },
    onError: (error, cancelled) =>
      showToast({
        about: cancelled.originalStartTime,
        kind: 'problem',
        message: `${t('notRestored')} ${words(error)}`,
        ...(mayPass(error) && { action: { label: t('app:tryAgain'), run: () => restoring.mutate(cancelled) } }),
      }),
  })
  return restoring
}

/** No response, or a failure of the service. */
const mayPass = (error: unknown) => !(error instanceof ProblemError) || error.problem.status >= 500

type ChangedDate = { meetingId: string; originalStartTime: string; occurrence: OccurrenceReply }

/** Give a changed date the times and texts of the series again. The toast offers to change it back. */
export function useTakeBack() {
  const { t } = useTranslation('occurrence')
  const dates = useDates()
  const words = useProblemWords()
  const onError = (error: unknown) => showToast({ kind: 'problem', message: words(error) })
  const changingAgain = useChangeDate({ onError })
  return useUndoDateChange<ChangedDate>({
    onSaved: ({ startTime, endTime }, { meetingId, originalStartTime, occurrence }) => {
      const date = dates.range(startTime, endTime)
      const undo = () => changingAgain.mutate({ meetingId, originalStartTime, body: ownOf(occurrence) })
      showToast({ message: t('tookBack', { date }), undo })
    },
    onError,
  })
}

/** The times and texts that a changed date has of its own. */
function ownOf(occurrence: OccurrenceReply) {
  const { startTime, endTime } = occurrence
  const own = meetingTextNames.filter((name) => occurrence[name] !== undefined)
  return { startTime, endTime, ...Object.fromEntries(own.map((name) => [name, occurrence[name]])) }
}
