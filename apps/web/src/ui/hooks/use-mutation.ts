import {
  hashKey,
  type UseMutationOptions,
  type UseMutationResult,
  useMutation as useUnguardedMutation,
} from '@tanstack/react-query'
import { useMemo } from 'react'

/** Desktop systems take two clicks within half a second for one double click; some people need longer. */
export const doubleClickMs = 800

/**
 * TanStack Query's `useMutation`, with which a double click acts once (`actOnce`). A button cannot prevent the second
 * request, because it is rendered as busy only after the second click.
 */
export function useMutation<Data = unknown, Variables = void, Result = unknown>(
  options: UseMutationOptions<Data, Error, Variables, Result>,
): UseMutationResult<Data, Error, Variables, Result> {
  const mutation = useUnguardedMutation(options)
  const { mutateAsync } = mutation
  const guarded = useMemo(() => {
    const once = actOnce(mutateAsync)
    // As in TanStack Query, errors of `mutate` are in the result.
    const mutate: typeof mutation.mutate = (...call) => void once(...call).catch(() => {})
    return { mutate, mutateAsync: once }
  }, [mutateAsync])
  return { ...mutation, ...guarded }
}

/**
 * Make a repetition of the latest call return that call's promise, while it is under way and for `doubleClickMs` after
 * it has succeeded. A call with other variables (the first argument), or after a failure, acts.
 */
export function actOnce<Call extends readonly unknown[], Data>(
  act: (...call: Call) => Promise<Data>,
): (...call: Call) => Promise<Data> {
  let latest: { key: string; acting: Promise<Data> } | undefined
  return (...call) => {
    const key = hashKey([call[0]])
    if (latest?.key === key) return latest.acting
    const current = { key, acting: act(...call) }
    const clear = () => {
      if (latest === current) latest = undefined
    }
    latest = current
    current.acting.then(() => setTimeout(clear, doubleClickMs), clear)
    return current.acting
  }
}
