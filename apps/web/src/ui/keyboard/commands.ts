import { useEffect, useSyncExternalStore } from 'react'

/** A command of the palette (Ctrl K), with keyboard shortcuts where it has some. */
export type Command = {
  id: string
  label: string
  /** A single key or a chord such as `mod+Enter`, in the format of Mantine's `useHotkeys`. */
  keys?: string
  /** The key works while held, and the component that registers the command handles it: it is only listed. */
  held?: true
  /** Key repeat runs the command again. */
  repeats?: boolean
  run(): void
}

let registered: readonly (readonly Command[])[] = []
let all: readonly Command[] = []
const listeners = new Set<() => void>()

function register(lists: readonly (readonly Command[])[]) {
  registered = lists
  all = onceEach(lists.flat())
  for (const notify of listeners) notify()
}

function onceEach(commands: readonly Command[]): readonly Command[] {
  const byId = new Map<string, Command>()
  for (const command of commands) {
    if (!byId.has(command.id) || command.keys !== undefined) byId.set(command.id, command)
  }
  return [...byId.values()]
}

/** Register commands while the calling component is mounted. Pass the same array until it changes. */
export function useCommands(commands: readonly Command[]): void {
  useEffect(() => {
    register([...registered, commands])
    return () => register(registered.filter((list) => list !== commands))
  }, [commands])
}

/** Remove duplicates by id, preferring the page's own command, which has keys. */
export const useAllCommands = (): readonly Command[] =>
  useSyncExternalStore(
    (notify) => {
      listeners.add(notify)
      return () => listeners.delete(notify)
    },
    () => all,
  )
