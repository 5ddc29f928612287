import {
  type AccountInvitation,
  type AccountSummary,
  type BodyOf,
  declineOauthRequest,
  inviteAccount,
  revokeAccountInvitation,
  updateAccount,
} from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { client } from '../session/client.ts'
import { useProblemWords } from '../session/problem-words.ts'
import { sessionQuery, usePerson } from '../session/session.ts'
import { type ChangeHandlers, useChange } from '../session/use-change.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { showToast } from '../ui/toast.ts'
import { accountKeys } from './account-queries.ts'

type AccountChange = {
  account: AccountSummary
  rights: BodyOf<typeof updateAccount>
  /** The toast's text. */
  done: string
  /** The change that restores the previous state, where there is one. */
  undo?: BodyOf<typeof updateAccount>
}

/** Grant or revoke rights, and offer to undo what can be undone. */
export function useUpdateAccount() {
  const { t } = useTranslation('administration')
  const queryClient = useQueryClient()
  const problemWords = useProblemWords()
  const person = usePerson()
  const change = ({ account, rights }: Pick<AccountChange, 'account' | 'rights'>) =>
    client.call(updateAccount, { params: { userId: account._id }, body: rights })
  const refresh = async (userId: string) => {
    await queryClient.invalidateQueries({ queryKey: accountKeys.all })
    // The caller's own roles decide which pages they see.
    if (userId === person._id) await queryClient.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  return useMutation({
    mutationFn: (wanted: AccountChange) => change(wanted),
    onSuccess: (_reply, { account, done, undo }) => {
      const undoChange = async (rights: AccountChange['rights']) => {
        try {
          await change({ account, rights })
          showToast({ message: t('accounts.takenBack') })
        } catch (error) {
          showToast({ kind: 'problem', message: problemWords(error) })
        }
        await refresh(account._id)
      }
      showToast({ message: done, ...(undo && { undo: () => void undoChange(undo) }) })
      return refresh(account._id)
    },
  })
}

/** What became of one invitation: `link` where no email leaves, `error` where it was refused. */
export type InvitationOutcome = { email: string; link?: string; error?: Error }

/** Mail each address a link to sign up, one after the other. A refused address does not stop those after it. */
export const useInviteAccounts = (
  onProgress: (done: number) => void,
  handlers: ChangeHandlers<InvitationOutcome[], readonly string[]>,
) =>
  useChange(
    {
      mutationFn: async (emails) => {
        const outcomes: InvitationOutcome[] = []
        for (const email of emails) {
          outcomes.push(
            await client.call(inviteAccount, { body: { email } }).then(
              ({ link }) => ({ email, ...(link !== undefined && { link }) }),
              (error: Error) => ({ email, error }),
            ),
          )
          onProgress(outcomes.length)
        }
        return outcomes
      },
      refreshes: accountKeys.all,
    },
    handlers,
  )

/** Revoke an invitation. The person may have used it in the meantime. */
export const useRevokeInvitation = (handlers: ChangeHandlers<void, AccountInvitation>) =>
  useChange(
    {
      mutationFn: ({ _id }) => client.call(revokeAccountInvitation, { params: { invitationId: _id } }),
      refreshes: accountKeys.all,
      afterRefusal: true,
    },
    handlers,
  )

/** Decline a request for OAuth. Another administrator may have decided in the meantime. */
export const useDeclineOauthRequest = (userId: string, handlers: ChangeHandlers<unknown, string>) =>
  useChange(
    {
      mutationFn: (reason) => client.call(declineOauthRequest, { params: { userId }, body: { reason } }),
      refreshes: accountKeys.all,
      afterRefusal: true,
    },
    handlers,
  )
