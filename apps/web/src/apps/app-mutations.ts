import {
  type App,
  type BodyOf,
  createSecret,
  deleteApp,
  editApp,
  type ReplyOf,
  replaceTesters,
  requestOauthAccess,
  resubmitApp,
  retireSecret,
  submitApp,
} from '@parley/contract'
import { useQueryClient } from '@tanstack/react-query'
import { client } from '../session/client.ts'
import { type ChangeHandlers, useChange } from '../session/use-change.ts'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { appKeys, testersQuery } from './app-queries.ts'

/** The changes of apps, each with the queries that are refreshed after it. */

export const useRequestOauthAccess = (handlers: ChangeHandlers<unknown, BodyOf<typeof requestOauthAccess>>) =>
  useChange({ mutationFn: (body) => client.call(requestOauthAccess, { body }), refreshes: appKeys.access }, handlers)

export const useSubmitApp = (handlers: ChangeHandlers<App, BodyOf<typeof submitApp>>) =>
  useChange({ mutationFn: (body) => client.call(submitApp, { body }), refreshes: appKeys.all }, handlers)

export const useEditApp = (appId: string, handlers: ChangeHandlers<App, BodyOf<typeof editApp>>) =>
  useChange(
    { mutationFn: (body) => client.call(editApp, { params: { appId }, body }), refreshes: appKeys.all },
    handlers,
  )

export const useResubmitApp = (appId: string, handlers: ChangeHandlers<unknown, BodyOf<typeof resubmitApp>>) =>
  useChange(
    { mutationFn: (body) => client.call(resubmitApp, { params: { appId }, body }), refreshes: appKeys.all },
    handlers,
  )

/** `leave` opens another page: the page of a deleted app would read it again. */
export function useDeleteApp(appId: string, { leave, onRefreshed }: { leave(): Promise<void>; onRefreshed(): void }) {
  const queryClient = useQueryClient()
  return useChange(
    { mutationFn: () => client.call(deleteApp, { params: { appId } }), refreshes: appKeys.list },
    {
      onSaved: async () => {
        await leave()
        queryClient.removeQueries({ queryKey: appKeys.one(appId) })
      },
      onRefreshed,
    },
  )
}

export const useCreateSecret = (
  appId: string,
  handlers: ChangeHandlers<ReplyOf<typeof createSecret>, BodyOf<typeof createSecret>>,
) =>
  useChange(
    { mutationFn: (body) => client.call(createSecret, { params: { appId }, body }), refreshes: appKeys.secrets(appId) },
    handlers,
  )

export const useRetireSecret = (appId: string, handlers: ChangeHandlers<unknown, string>) =>
  useChange(
    {
      mutationFn: (secretId) => client.call(retireSecret, { params: { appId, secretId } }),
      refreshes: appKeys.secrets(appId),
    },
    handlers,
  )

/** The new list is shown at once; a refusal restores the one before. */
export function useReplaceTesters(appId: string) {
  const queryClient = useQueryClient()
  const { queryKey } = testersQuery(appId)
  return useMutation({
    mutationFn: (wanted: readonly string[]) =>
      client.call(replaceTesters, { params: { appId }, body: { testers: [...wanted] } }),
    onMutate: async (wanted) => {
      await queryClient.cancelQueries({ queryKey })
      const before = queryClient.getQueryData(queryKey)
      const known = new Map(before?.map((tester) => [tester.email, tester]))
      queryClient.setQueryData(
        queryKey,
        wanted.map((email) => known.get(email) ?? { email, state: 'pending', invitedOn: '', answeredOn: null }),
      )
      return { before }
    },
    onError: (_error, _wanted, context) => queryClient.setQueryData(queryKey, context?.before),
    onSuccess: (answer) => queryClient.setQueryData(queryKey, answer.testers),
  })
}
