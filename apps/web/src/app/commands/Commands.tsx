import { type HotkeyItem, useHotkeys } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { lazy, Suspense, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionQuery } from '../../session/session.ts'
import { type Command, useAllCommands, useCommands } from '../../ui/keyboard/commands.ts'
import { allowsShortcuts, keysOfLayouts } from '../../ui/keyboard/shortcut-scope.ts'
import { entriesFor } from '../navigation.ts'
import { closePalette, openPalette, usePaletteOpened } from './palette-state.ts'
import { useSingleKeys } from './single-keys.ts'

const CommandPalette = lazy(async () => ({ default: (await import('./CommandPalette.tsx')).CommandPalette }))
const ShortcutsDialog = lazy(async () => ({ default: (await import('./ShortcutsDialog.tsx')).ShortcutsDialog }))

/** Commands that every page offers to signed-in people. */
const actions = [
  { name: 'schedule', to: '/meetings/new' },
  { name: 'join', to: '/join' },
  { name: 'startNow', to: '/start' },
] as const

/** The command palette (Ctrl K), the list of shortcuts (?), and the shortcuts of the current page. */
export function Commands() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { data: person } = useQuery({ ...sessionQuery, enabled: false })
  const [listed, setListed] = useState(false)
  const paletteOpened = usePaletteOpened()
  const [paletteWanted, setPaletteWanted] = useState(false)
  if (paletteOpened && !paletteWanted) setPaletteWanted(true)
  const commands = useAllCommands()
  const singleKeys = useSingleKeys()

  const own = useMemo<readonly Command[]>(() => {
    const entries = person ? entriesFor(person) : []
    return [
      ...entries.map(({ path, navigation: { name } }) => ({
        id: `go-${name}`,
        label: t('commands.goTo', { page: t(`navigation.pages.${name}`) }),
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

  const withKeys = commands.filter(
    ({ keys = '', held }) => keys !== '' && held === undefined && (singleKeys || keys.includes('mod+')),
  )
  useHotkeys([['mod+K', openPalette], ...withKeys.flatMap(hotkeysOf)])

  return (
    <Suspense fallback={null}>
      {paletteWanted && <CommandPalette opened={paletteOpened} commands={commands} onClose={closePalette} />}
      {listed && <ShortcutsDialog commands={commands} onClose={() => setListed(false)} />}
    </Suspense>
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
