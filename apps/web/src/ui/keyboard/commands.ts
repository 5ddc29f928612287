import { useEffect } from 'react'
import { createStore, useStore } from '../hooks/create-store.ts'

/** A command of the search (Ctrl K), with keyboard shortcuts where it has some. */
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

/** The lists that mounted components have registered. */
const registered = createStore<readonly (readonly Command[])[]>([])
const all = createStore<readonly Command[]>([])

function register(lists: readonly (readonly Command[])[]) {
  registered.replace(lists)
  all.replace(uniqueById(lists.flat()))
}

/** Remove duplicates by id, preferring the page's own command, which has keys. */
function uniqueById(commands: readonly Command[]): readonly Command[] {
  const byId = new Map<string, Command>()
  for (const command of commands) {
    if (!byId.has(command.id) || command.keys !== undefined) byId.set(command.id, command)
  }
  return [...byId.values()]
}

/** Register commands while the calling component is mounted. Pass the same array until it changes. */
export function useCommands(commands: readonly Command[]): void {
  useEffect(() => {
    register([...registered.read(), commands])
    return () => register(registered.read().filter((list) => list !== commands))
  }, [commands])
}

/** The commands of all mounted components, each once. */
export const useAllCommands = (): readonly Command[] => useStore(all)
