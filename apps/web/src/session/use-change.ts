import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useId } from 'react'
import { useMutation } from '../ui/hooks/use-mutation.ts'
import { notifyOtherTabs } from './other-tabs.ts'

export type Change<Data, Variables> = {
  mutationFn(variables: Variables): Promise<Data>
  /** The beginning of the keys to refresh. */
  refreshes: QueryKey
  /** Refresh after a refusal as well: another person may have changed the same. */
  afterRefusal?: boolean
  /** Send a change when the one before is answered, so that the last one wins. */
  oneAfterAnother?: boolean
}

export type ChangeHandlers<Data, Variables> = {
  /** Before the queries are refreshed. */
  onSaved?(data: Data, variables: Variables): unknown
  /** When the queries are refreshed, and every page shows the change. */
  onRefreshed?(data: Data, variables: Variables): unknown
  /** `refreshed` is fulfilled when the queries are refreshed; at once where a refusal refreshes none. */
  onError?(error: Error, variables: Variables, refreshed: Promise<void>): unknown
}

/** A mutation that refreshes the queries of its noun. Each noun declares its changes once ({noun}-mutations.ts). */
export function useChange<Data, Variables = void>(
  { mutationFn, refreshes, afterRefusal = false, oneAfterAnother = false }: Change<Data, Variables>,
  { onSaved, onRefreshed, onError }: ChangeHandlers<Data, Variables> = {},
) {
  const queryClient = useQueryClient()
  const refresh = () => queryClient.invalidateQueries({ queryKey: refreshes })
  const id = useId()
  return useMutation<Data, Variables>({
    mutationFn,
    ...(oneAfterAnother && { scope: { id } }),
    onSuccess: async (data, variables) => {
      notifyOtherTabs(refreshes)
      await onSaved?.(data, variables)
      await refresh()
      await onRefreshed?.(data, variables)
    },
    // The refresh is not awaited: without a connection, the error would wait for one.
    onError: (error, variables) => {
      const refreshed = afterRefusal ? refresh() : Promise.resolve()
      return onError?.(error, variables, refreshed)
    },
  })
}
