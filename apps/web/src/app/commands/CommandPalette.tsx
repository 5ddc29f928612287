import '@mantine/spotlight/styles.css'
import { useDebouncedValue } from '@mantine/hooks'
import { createSpotlight, Spotlight } from '@mantine/spotlight'
import { listMeetings } from '@parley/contract'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { sessionQuery } from '../../session/session.ts'
import { useDates } from '../../texts/dates.ts'
import type { Command } from '../../ui/keyboard/commands.ts'

type CommandPaletteProps = { opened: boolean; commands: readonly Command[]; onClose(): void }

/** Delay between the last keystroke and the search. */
const pauseMs = 250
const maxMeetings = 6

const [store, palette] = createSpotlight()

/**
 * Find meetings by topic, and every command of the page. It stays mounted once opened, so that closing it restores the
 * focus.
 */
export function CommandPalette({ opened, commands, onClose }: CommandPaletteProps) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  const [selected, setSelected] = useState('')
  const meetings = useMeetings(query)
  useEffect(() => {
    if (opened) palette.open()
  }, [opened])

  // Other pages end the call.
  const inRoom = commands.some(({ id }) => id.startsWith('room-'))
  const offered = inRoom ? commands.filter(({ id }) => !id.startsWith('go-') && !id.startsWith('do-')) : commands
  const fitting = offered.filter(({ label, held }) => !held && holds(label, query))
  const groups = [
    { name: 'meetings', actions: query.trim() === '' || inRoom ? [] : meetings },
    { name: 'actions', actions: fitting.filter(({ id }) => !id.startsWith('go-')) },
    { name: 'pages', actions: fitting.filter(({ id }) => id.startsWith('go-')) },
  ] as const
  const shown = groups.flatMap(({ actions }) => actions.map(({ id }) => id)).join(' ')
  // The library selects the first action when the query changes, which is before the meetings arrive.
  useEffect(() => selectFirst(shown !== '' && query !== ''), [shown, query])
  const count = groups.reduce((sum, { actions }) => sum + actions.length, 0)
  return (
    <Spotlight.Root
      store={store}
      query={query}
      onQueryChange={(text) => {
        setQuery(text)
        setSelected('')
      }}
      onSpotlightClose={onClose}
      shortcut={null}
      // The default opacity has too little contrast on a selected action.
      styles={{ actionDescription: { opacity: 1 } }}
      title={t('commands.title')}
    >
      <Spotlight.Search
        leftSection={<IconSearch size={20} aria-hidden />}
        placeholder={t('commands.search')}
        aria-label={t('commands.search')}
        onKeyUp={({ key }) => key.startsWith('Arrow') && setSelected(selectedText())}
      />
      {/* The selection does not move the focus, so a live region announces it. */}
      <span className="hidden" role="status">
        {selected || (query !== '' && t('commands.found', { count }))}
      </span>
      {count === 0 ? (
        <Spotlight.Empty>{t('commands.nothing')}</Spotlight.Empty>
      ) : (
        <Spotlight.ActionsList mah="60vh">
          {groups.map(
            ({ name, actions }) =>
              actions.length > 0 && (
                <Spotlight.ActionsGroup key={name} label={t(`commands.groups.${name}`)}>
                  {actions.map(({ id, run, ...texts }) => (
                    <Spotlight.Action key={id} onClick={run} {...texts} />
                  ))}
                </Spotlight.ActionsGroup>
              ),
          )}
        </Spotlight.ActionsList>
      )}
    </Spotlight.Root>
  )
}

const holds = (label: string, query: string) => label.toLocaleLowerCase().includes(query.trim().toLocaleLowerCase())

/** Keep an existing selection: the action that Enter runs must not change while the user reads. */
function selectFirst(isWanted: boolean): void {
  const actions = [...document.querySelectorAll('.mantine-Spotlight-action')]
  const selected = actions.findIndex((action) => action.hasAttribute('data-selected'))
  if (selected === -1 && isWanted) actions[0]?.setAttribute('data-selected', 'true')
  store.updateState((state) => ({ ...state, selected: selected === -1 && isWanted ? 0 : selected }))
}

const selectedText = () => document.querySelector('.mantine-Spotlight-action[data-selected]')?.textContent ?? ''

/** Meetings whose topic matches, as in the search of the list. */
function useMeetings(query: string) {
  const { range } = useDates()
  const navigate = useNavigate()
  const [typed] = useDebouncedValue(query.trim(), pauseMs)
  const { data: person } = useQuery({ ...sessionQuery, enabled: false })
  const { data, isPlaceholderData } = useQuery({
    queryKey: ['meetings', 'palette', typed],
    queryFn: () => client.call(listMeetings, { params: { userId: 'me' }, query: { q: typed, limit: maxMeetings } }),
    enabled: typed !== '' && Boolean(person),
    placeholderData: keepPreviousData,
  })
  // Keep showing earlier results that match the new query.
  const isAnswer = typed === query.trim() && !isPlaceholderData
  const found = (data?.meetingDetails ?? []).filter(({ topic }) => isAnswer || holds(topic, query))
  return found.map((meeting) => ({
    id: `meeting-${meeting._id}`,
    label: meeting.topic,
    // A series has several dates; its page shows them.
    description: meeting.recur ? '' : range(meeting.startTime, meeting.endTime),
    run: () => void navigate({ to: '/meetings/$meetingId', params: { meetingId: meeting._id } }),
  }))
}
