import { Button, Combobox, Pill, PillsInput, useCombobox, VisuallyHidden } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { type SuggestedPerson, suggestPeople } from '@parley/contract'
import { addressKey, isEmailAddress } from '@parley/rules/text/email-address'
import { guestNameOf, readMailbox, writeMailbox } from '@parley/rules/text/mailbox'
import { matchesPerson, searchWords } from '@parley/rules/text/search-words'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { client } from '../../session/client.ts'
import { PersonPortrait } from '../../ui/Portrait.tsx'
import { addressOf, readAddressList, withoutDoubles } from './address-list.ts'
import classes from './PeopleField.module.css'

type PeopleFieldProps = {
  label: string
  description: string
  value: readonly string[]
  onChange(value: string[]): void
  error?: string | undefined
}

/** More chips would make the page long; the rest are shown as a number. */
const shownAtFirst = 40

/**
 * People, typed one by one or pasted as a list, each with a name or without. Those whom the reader has invited before, and
 * colleagues, are suggested while a name is typed. Each is a chip; an invalid address is red, and a click on it edits it.
 */
export function PeopleField({ label, description, value, onChange, error }: PeopleFieldProps) {
  const { t } = useTranslation(['schedule', 'app'])
  const [typed, setTyped] = useState('')
  const [showsAll, setShowsAll] = useState(false)
  const [names, setNames] = useState<ReadonlyMap<string, string>>(new Map())
  const entry = useRef<HTMLInputElement>(null)
  const shown = showsAll ? value : value.slice(0, shownAtFirst)
  const wrong = value.filter((person) => !isEmailAddress(addressOf(person)))
  const list = useSuggestionList(typed, value)

  const add = (text: string) => {
    const addresses = readAddressList(text)
    if (addresses.length > 0) onChange(withoutDoubles([...value, ...addresses]))
    setTyped('')
  }
  const choose = ({ email, name, userId }: SuggestedPerson) => {
    // The name of an account is its own and may change; that of another guest is sent with the address.
    const given = userId === undefined ? guestNameOf(name) : ''
    onChange(withoutDoubles([...value, writeMailbox({ address: email, name: given })]))
    if (name !== '') setNames(new Map(names).set(addressKey(email), name))
    setTyped('')
  }
  useEffect(() => {
    if (list.chosenLate !== undefined) choose(list.chosenLate)
  })
  const remove = (address: string) => {
    onChange(value.filter((one) => one !== address))
    entry.current?.focus()
  }
  const mend = (address: string) => {
    remove(address)
    setTyped(address)
  }
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    // During IME composition, Enter selects a candidate.
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Backspace' && typed === '') onChange(value.slice(0, -1))
    const { active } = list
    if (event.key === 'Enter' && active !== undefined && !(event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      return choose(active)
    }
    if (list.onKeyDown(event)) return
    // A part of a name is no address: it waits for its suggestions, and stays where there are none.
    if (event.key === 'Enter' && list.isPartOfName && !(event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      return list.chooseFirst()
    }
    const ends = [',', ';', 'Enter'].includes(event.key) || (event.key === ' ' && isEmailAddress(typed.trim()))
    if (!ends) return
    add(typed)
    // Ctrl+Enter submits the form, including the text just typed.
    if (!(event.ctrlKey || event.metaKey)) event.preventDefault()
  }
  const onPaste = (event: ClipboardEvent<HTMLInputElement>) => {
    const text = event.clipboardData.getData('text')
    if (!/[@,;\n]/.test(text)) return
    event.preventDefault()
    add(`${typed}${text}`)
  }

  return (
    <Combobox
      store={list.store}
      onOptionSubmit={(email) => choose(list.people.find((one) => one.email === email) ?? { email, name: '' })}
    >
      <Combobox.DropdownTarget>
        <PillsInput
          label={label}
          description={description}
          error={error ?? (wrong.length > 0 ? t('people.wrong', { count: wrong.length }) : undefined)}
        >
          <Pill.Group>
            {shown.map((person) => {
              const { address, name } = readMailbox(person)
              return (
                <AddressPill
                  key={person}
                  address={address}
                  name={name || names.get(addressKey(address))}
                  onRemove={() => remove(person)}
                  onMend={() => mend(person)}
                />
              )
            })}
            {shown.length < value.length && (
              <Button size="compact-sm" variant="subtle" onClick={() => setShowsAll(true)}>
                {t('people.more', { count: value.length - shown.length })}
              </Button>
            )}
            <Combobox.EventsTarget
              withExpandedAttribute
              withKeyboardNavigation={false}
              aria-activedescendant={list.at < 0 ? undefined : list.idOf(list.at)}
            >
              <PillsInput.Field
                ref={entry}
                className={classes.entry}
                type="visible"
                inputMode="email"
                autoComplete="off"
                spellCheck={false}
                aria-autocomplete="list"
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
                onKeyDown={onKeyDown}
                onPaste={onPaste}
                onBlur={() => add(typed)}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <VisuallyHidden role="status">
        {list.people.length > 0 && t('people.suggested', { count: list.people.length })}
        {list.isUnknown && t('people.unknown')}
      </VisuallyHidden>
      <Combobox.Dropdown>
        <Combobox.Options aria-label={t('people.suggestions')}>
          {list.people.map((person, index) => (
            <Combobox.Option
              key={person.email}
              id={list.idOf(index)}
              value={person.email}
              aria-selected={index === list.at}
              onMouseMove={() => list.setAt(index)}
              className={classes.person}
            >
              <PersonPortrait name={person.name || person.email} photo={person.imageMeta?.filePath} />
              <span className={classes.names}>
                {person.name !== '' && <bdi>{person.name}</bdi>}
                <bdi className={person.name === '' ? undefined : classes.address}>{person.email}</bdi>
              </span>
            </Combobox.Option>
          ))}
          {list.isUnavailable && <Combobox.Empty>{t('people.unavailable')}</Combobox.Empty>}
          {list.isUnknown && <Combobox.Empty>{t('people.unknown')}</Combobox.Empty>}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  )
}

type AddressPillProps = { address: string; name: string | undefined; onRemove(): void; onMend(): void }

function AddressPill({ address, name, onRemove, onMend }: AddressPillProps) {
  const { t } = useTranslation(['schedule', 'app'])
  const isValid = isEmailAddress(address)
  return (
    <Pill
      size="md"
      className={isValid ? undefined : classes.wrong}
      title={name === undefined ? undefined : address}
      withRemoveButton
      onRemove={onRemove}
      removeButtonProps={{ 'aria-label': t('app:removeAddress', { address }), 'aria-hidden': false, tabIndex: 0 }}
    >
      {isValid ? (
        <bdi>{name ?? address}</bdi>
      ) : (
        <button type="button" className={classes.edit} onClick={onMend} aria-label={t('people.mend', { address })}>
          <bdi>{address}</bdi>
        </button>
      )}
    </Pill>
  )
}

/** Delay between the last keystroke and the request: a fast typist asks for a few beginnings of a name. */
const pauseMs = 150
const staleMs = 60_000
const suggestedAtOnce = 8

/**
 * The people who fit what is typed, and which of them Enter chooses. The first is marked, unless the text is an address
 * itself, which Enter then adds as it is.
 */
function useSuggestionList(typed: string, value: readonly string[]) {
  const listId = useId()
  const text = typed.trim()
  const [asked] = useDebouncedValue(text, pauseMs)
  const isSearch = searchWords(text).length > 0 && !/[,;<\n]/.test(text)
  const nothingFor = useRef<string>(undefined)
  const isKnownEmpty = nothingFor.current !== undefined && asked.startsWith(nothingFor.current)
  const { data, isError, fetchStatus, isPlaceholderData } = useQuery({
    queryKey: ['people', asked],
    queryFn: () => client.call(suggestPeople, { query: { q: asked, limit: suggestedAtOnce } }),
    enabled: isSearch && searchWords(asked).length > 0 && !isKnownEmpty,
    staleTime: staleMs,
    retry: false,
    placeholderData: keepPreviousData,
  })
  useEffect(() => {
    if (!isPlaceholderData && data?.people.length === 0) nothingFor.current = asked
  }, [data, isPlaceholderData, asked])

  const chosen = new Set(value.map((person) => addressKey(addressOf(person))))
  // What an earlier request has found stays while it fits what is typed now.
  const people = isSearch
    ? (data?.people ?? []).filter(
        ({ email, name }) => !chosen.has(addressKey(email)) && matchesPerson(text, { email, name }),
      )
    : []
  const isAddress = isEmailAddress(text)
  const isUnavailable = isSearch && !isAddress && people.length === 0 && (isError || fetchStatus === 'paused')
  const [mark, setMark] = useState({ text: '', at: -1 })
  const [closedFor, setClosedFor] = useState('')
  const [entered, setEntered] = useState('')
  const isPartOfName = isSearch && !text.includes('@')
  const isSettled = asked === text && (isKnownEmpty || isError || (data !== undefined && !isPlaceholderData))
  const isEntered = isPartOfName && entered === text
  const isUnknown = isEntered && isSettled && people.length === 0 && !isUnavailable
  const isOpen = (people.length > 0 || isUnavailable || isUnknown) && closedFor !== text
  const at = !isOpen ? -1 : Math.min(mark.text === text ? mark.at : isAddress ? -1 : 0, people.length - 1)
  const setAt = (index: number) => setMark({ text, at: index })
  const store = useCombobox({ opened: isOpen })
  const idOf = (index: number) => `${listId}-${index}`

  /** Move the mark, or close the list. Return whether the key was one of the list. */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (step !== 0 && text !== '') {
      event.preventDefault()
      setClosedFor('')
      if (people.length > 0) setAt((at + step + people.length) % people.length)
      return true
    }
    if (event.key !== 'Escape' || !isOpen) return false
    // A layer around the field stays open.
    event.stopPropagation()
    setClosedFor(text)
    return true
  }
  return {
    store,
    people: isOpen ? people : [],
    active: isOpen ? people[at] : undefined,
    at,
    setAt,
    idOf,
    isUnavailable,
    isPartOfName,
    /** Choose the first person who is suggested, now or when the suggestions arrive. */
    chooseFirst: () => setEntered(text),
    /** The person for whom Enter has waited. */
    chosenLate: isEntered && isSettled ? people[0] : undefined,
    /** Whether Enter was pressed, and no one is suggested. */
    isUnknown,
    onKeyDown,
  }
}
