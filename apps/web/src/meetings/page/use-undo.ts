import { ProblemError } from '@parley/client'
import {
  changeOccurrence,
  type OccurrenceReply,
  restoreOccurrence,
  undoCancellation,
  undoOccurrenceChange,
} from '@parley/contract'
import { meetingTextNames } from '@parley/contract/meeting-fields'
import { undoableMs } from '@parley/rules/meetings/undo'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { useProblemWords } from '../../session/problem-words.ts'
import { usePerson } from '../../session/session.ts'
import { ownTimeZone, writeSpan } from '../../texts/dates.ts'
import { useMutation } from '../../ui/hooks/use-mutation.ts'
import { readClockMs } from '../../ui/hooks/use-now.ts'
import { showToast } from '../../ui/toast.ts'
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
const mayPass = (error: unknown) => !(error instanceof ProblemError) || error.problem.status >= 500

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
