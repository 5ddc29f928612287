import { type ReplyOf, readSetUp, sendTestMail } from '@parley/contract'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import { type ChangeHandlers, useChange } from '../session/use-change.ts'

export type SetUpFacts = ReplyOf<typeof readSetUp>

const setUpKey = ['set-up']

/** Read again whenever it is shown, so that a step is ticked once it is done. */
export const setUpQuery = queryOptions({
  queryKey: setUpKey,
  queryFn: () => client.call(readSetUp),
  staleTime: 0,
})

export const useSendTestMail = (handlers: ChangeHandlers<unknown, void>) =>
  useChange({ mutationFn: () => client.call(sendTestMail), refreshes: setUpKey }, handlers)
