import { ProblemError } from '@parley/client'
import { answerTesterInvitation, revokeGrant, type TesterState } from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import { type ChangeHandlers, useChange } from '../session/use-change.ts'
import { type Grant, grantKeys, grantsQuery, type TesterInvitation } from './grant-queries.ts'

/** The changes of grants and of testers' invitations, each with the queries that are refreshed after it. */

/** Disconnect an app: revoke every token that it has for the account. */
export function useDisconnectApp({ _id, app }: Grant, { onSaved }: { onSaved(): void }) {
  const queryClient = useQueryClient()
  const isOfThisApp = ({ app: other }: Grant) => other._id === app._id && other.sandbox === app.sandbox
  const revoke = (grantId: string) => client.call(revokeGrant, { params: { grantId } })
  return useChange(
    {
      async mutationFn() {
        try {
          await revoke(_id)
        } catch (error) {
          if (!(error instanceof ProblemError) || error.problem.code !== 'grant_not_found') throw error
          // Disconnected in another window. It may have been connected again since, which ends as well.
          const grants = await queryClient.fetchQuery({ ...grantsQuery, staleTime: 0 })
          const current = grants.find(isOfThisApp)
          if (current !== undefined) await revoke(current._id)
        }
      },
      refreshes: grantKeys.grants,
    },
    {
      onSaved: () => {
        queryClient.setQueryData(grantsQuery.queryKey, (grants) => grants?.filter((one) => !isOfThisApp(one)))
        onSaved()
      },
    },
  )
}

export type InvitationAnswer = { invitation: TesterInvitation; said: Exclude<TesterState, 'pending'> }

export const useAnswerTesterInvitation = (handlers: ChangeHandlers<unknown, InvitationAnswer>) =>
  useChange(
    {
      mutationFn: ({ invitation, said }) =>
        client.call(answerTesterInvitation, { params: { appId: invitation.app._id }, body: { answer: said } }),
      refreshes: grantKeys.all,
    },
    handlers,
  )
