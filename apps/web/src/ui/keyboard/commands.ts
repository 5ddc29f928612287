import { useEffect, useSyncExternalStore } from 'react'

/** Something that can be done from the palette (Ctrl K), and by its keys where it has some. */
export type Command = {
  id: string
  label: string
  /** A single key or a chord such as `mod+Enter`, as Mantine's `useHotkeys` writes it. */
  keys?: string
  /** The key works while it is held down, and whoever offers it watches it: it is only listed. */
  held?: true
  /** Holding the key down runs it again and again. */
  repeats?: boolean
  run(): void
}

let registered: readonly (readonly Command[])[] = []
let all: readonly Command[] = []
const listeners = new Set<() => void>()

function register(lists: readonly (readonly Command[])[]) {
  registered = lists
  all = onceEach(lists.flat())
  for (const tell of listeners) tell()
}

function onceEach(commands: readonly Command[]): readonly Command[] {
  const byId = new Map<string, Command>()
  for (const command of commands) {
    if (!byId.has(command.id) || command.keys !== undefined) byId.set(command.id, command)
  }
  return [...byId.values()]
}

/** Offers commands for as long as the calling component is there. Hand in the same list until something changes. */
export function useCommands(commands: readonly Command[]): void {
  useEffect(() => {
    register([...registered, commands])
    return () => register(registered.filter((list) => list !== commands))
  }, [commands])
}

/** Each once: of two with the same id, the one that has keys, which is the page's own. */
export const useAllCommands = (): readonly Command[] =>
  useSyncExternalStore(
    (tell) => {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
    () => all,
  )
