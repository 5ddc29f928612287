import { ProblemError } from '@parley/client'
import { type Decision, decideReview } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { appKeys } from '../apps/app-queries.ts'
import { client } from '../session/client.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { showToast } from '../ui/toast.ts'
import { findNextReview, type Review, reviewKeys } from './review-queries.ts'
import { type DraftReason, sentReasons } from './suggested-reasons.ts'

type DecisionRequest = { decision: Decision; reasons: readonly DraftReason[] }

/** Another reviewer decided first; the page is outdated. */
export const isOvertaken = (error: unknown): boolean =>
  error instanceof ProblemError && ['review_changed', 'nothing_to_decide'].includes(error.problem.code)

/** Decide on the revision on the page, then open the app that has waited longest. */
export function useDecision({ app: { _id: appId, name }, revision }: Review, onOvertaken: () => void) {
  const { t } = useTranslation('reviews')
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return useMutation({
    mutationFn: ({ decision, reasons }: DecisionRequest) =>
      client.call(decideReview, { params: { appId }, body: { decision, reasons: sentReasons(reasons), revision } }),
    onSuccess: async (_app, { decision }) => {
      // The decision is saved. When the next app cannot be loaded, the queue shows the error.
      const next = await findNextReview(appId).catch(() => undefined)
      // The reviewer's own apps as well: in a small organisation developer and reviewer are one person.
      for (const queryKey of [reviewKeys.all, appKeys.all]) {
        void queryClient.invalidateQueries({ queryKey, refetchType: 'none' })
      }
      showToast({ message: t(`decided.${decision}`, { name }) })
      if (next === undefined) return navigate({ to: '/reviews' })
      return navigate({ to: '/reviews/$appId', params: { appId: next } })
    },
    onError: async (error) => {
      if (!isOvertaken(error)) return
      onOvertaken()
      await queryClient.invalidateQueries({ queryKey: reviewKeys.all })
    },
  })
}
