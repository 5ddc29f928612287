import { type HotkeyItem, useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionQuery } from '../../session/session.ts'
import { type Command, useAllCommands, useCommands } from '../../ui/keyboard/commands.ts'
import { allowsShortcuts, keysOfLayouts } from '../../ui/keyboard/shortcut-scope.ts'
import { entriesFor } from '../navigation.ts'
import { closeSearch, openSearch, useSearchOpened } from './search-state.ts'
import { useSingleKeys } from './single-keys.ts'

const SearchDialog = lazy(async () => ({ default: (await import('./SearchDialog.tsx')).SearchDialog }))
const ShortcutsDialog = lazy(async () => ({ default: (await import('./ShortcutsDialog.tsx')).ShortcutsDialog }))

/** Commands that every page offers to signed-in people. */
const actions = [
  { name: 'schedule', to: '/meetings/new' },
  { name: 'join', to: '/join' },
  { name: 'startNow', to: '/start' },
] as const

/** Two keys, one after the other, as in mail programs. */
const keysOfPages: Record<string, string> = { meetings: 'g m', calendar: 'g c' }

/** The search (Ctrl K), the list of shortcuts (?), and the shortcuts of the current page. */
export function Commands() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { data: person } = useQuery({ ...sessionQuery, enabled: false })
  const [listed, setListed] = useState(false)
  const searchOpened = useSearchOpened()
  const [searchWanted, setSearchWanted] = useState(false)
  if (searchOpened && !searchWanted) setSearchWanted(true)
  const commands = useAllCommands()
  const singleKeys = useSingleKeys()

  const own = useMemo<readonly Command[]>(() => {
    const entries = person ? entriesFor(person) : []
    return [
      { id: 'search', label: t('commands.title'), keys: '/', run: openSearch },
      ...entries.map(({ path, navigation: { place, name } }) => ({
        id: `go-${name}`,
        label: t(place === 'settings' ? 'commands.goToSettings' : 'commands.goTo', {
          page: t(`navigation.pages.${name}`),
        }),
        ...(keysOfPages[name] !== undefined && { keys: keysOfPages[name] }),
        run: () => void navigate({ to: path }),
      })),
      ...(person
        ? actions.map(({ name, to }) => ({
            id: `do-${name}`,
            label: t(`commands.${name}`),
            run: () => void navigate({ to }),
          }))
        : []),
      { id: 'shortcuts', label: t('commands.shortcuts'), keys: 'shift+?', run: () => setListed(true) },
    ]
  }, [t, navigate, person])
  useCommands(own)

  // Not registered: the list of meetings gives the same command a key of its own, and both work there.
  const all = [...commands, ...own.filter(({ id }) => id === 'do-schedule').map((one) => ({ ...one, keys: 'c' }))]
  const withKeys = activeKeys(all, singleKeys)
  useHotkeys([['mod+K', openSearch], ...withKeys.filter(({ keys = '' }) => !keys.includes(' ')).flatMap(hotkeysOf)])
  useSequences(withKeys)

  return (
    <Suspense fallback={null}>
      {searchWanted && <SearchDialog opened={searchOpened} commands={commands} onClose={closeSearch} />}
      {listed && <ShortcutsDialog commands={activeKeys(all, true, true)} onClose={() => setListed(false)} />}
    </Suspense>
  )
}

/**
 * The commands whose keys work here. A page's own key goes before that of every page, and in a room, where other pages
 * end the call, only its own keys work.
 */
function activeKeys(commands: readonly Command[], singleKeys: boolean, withHeld = false): readonly Command[] {
  const isGeneral = ({ id }: Command) => id === 'search' || /^(go|do)-/.test(id)
  const inRoom = commands.some(({ id }) => id.startsWith('room-'))
  const ofPage = new Set(commands.filter((one) => !isGeneral(one)).map(({ keys }) => keys))
  return commands.filter(
    (one) =>
      (one.keys ?? '') !== '' &&
      (withHeld || one.held === undefined) &&
      (singleKeys || one.keys?.includes('mod+')) &&
      !(isGeneral(one) && (inRoom || ofPage.has(one.keys))),
  )
}

/** A single key is a shortcut outside of text fields only. Key repeat is ignored unless the command allows it. */
function hotkeysOf({ keys = '', repeats = false, run }: Command): HotkeyItem[] {
  if (keys.includes('mod+')) return [[keys, run]]
  const runInScope = (event: KeyboardEvent) => {
    if (!allowsShortcuts(event.target)) return
    event.preventDefault()
    if (repeats || !event.repeat) run()
  }
  return keysOfLayouts(keys).map((one) => [one, runInScope, { preventDefault: false }])
}

/** How long the second key of two may take. */
const sequenceMs = 1500

/** Shortcuts of two keys, such as `g m`. The second key is not the page's shortcut of the same key. */
function useSequences(commands: readonly Command[]): void {
  useEffect(() => {
    const sequences = commands.filter(({ keys = '' }) => keys.includes(' '))
    let first: { key: string; at: number } | undefined
    const listen = (event: KeyboardEvent) => {
      const isPlain = !(event.ctrlKey || event.metaKey || event.altKey || event.repeat)
      const begun = first !== undefined && event.timeStamp - first.at < sequenceMs ? first.key : undefined
      first = undefined
      if (!isPlain || !allowsShortcuts(event.target)) return
      const done = sequences.find(({ keys }) => keys === `${begun} ${event.key}`)
      if (done === undefined) first = { key: event.key, at: event.timeStamp }
      else {
        event.preventDefault()
        event.stopImmediatePropagation()
        done.run()
      }
    }
    // Before the listeners of single keys.
    window.addEventListener('keydown', listen, { capture: true })
    return () => window.removeEventListener('keydown', listen, { capture: true })
  }, [commands])
}
