import { Button, NativeSelect, NumberInput, Stack, Text, TextInput, Title } from '@mantine/core'
import { maxBreakoutMinutes, maxBreakoutNameLength, maxBreakoutRooms } from '@parley/contract'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNameOf, useSnapshot, useVisited } from '../room-context.ts'
import { useAction } from '../use-action.ts'
import classes from './BreakoutDialog.module.css'
import {
  groupsOf,
  type PlacedPerson,
  type Places,
  placedPeople,
  placesOf,
  shuffled,
  withinRooms,
  withPlace,
} from './breakout-people.ts'

const assignments = ['random', 'inOrder', 'byHand', 'choice'] as const
type Assignment = (typeof assignments)[number]

/** Hosts stay in the main room unless they are moved by hand. */
const divided = (people: readonly PlacedPerson[]) =>
  people.filter(({ role }) => role === 'participant').map(({ id }) => id)

function divide(people: readonly PlacedPerson[], assignment: Assignment, rooms: number, before: Places): Places {
  if (assignment === 'choice') return {}
  if (assignment === 'byHand') return withinRooms(before, rooms)
  return placesOf(assignment === 'random' ? shuffled(divided(people)) : divided(people), rooms)
}

/** A host prepares breakout rooms and opens them. */
export function BreakoutSetup({ onOpened }: { onOpened(): void }) {
  const { t } = useTranslation(['breakout', 'app'])
  const { room } = useVisited()
  const snapshot = useSnapshot()
  const runAction = useAction()
  const people = placedPeople(snapshot).filter(({ isMe }) => !isMe)
  const [assignment, setAssignment] = useState<Assignment>('random')
  const [count, setCount] = useState(2)
  const [minutes, setMinutes] = useState<number | undefined>()
  const [names, setNames] = useState<Readonly<Record<number, string>>>({})
  const [places, setPlaces] = useState(() => divide(people, 'random', 2, {}))
  const [busy, setBusy] = useState(false)
  const nameOfRoom = (at: number) => names[at]?.trim() || t('room', { number: at + 1 })
  const change = (chosen: Assignment, rooms: number) => {
    setAssignment(chosen)
    setCount(rooms)
    setPlaces(divide(people, chosen, rooms, places))
  }
  const open = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    const groups = groupsOf(places, count)
    const opened = await runAction(
      () =>
        room.host.openBreakoutRooms({
          rooms: groups.map((participants, at) => ({ name: nameOfRoom(at), participants })),
          choice: assignment === 'choice',
          ...(minutes !== undefined && { minutes }),
        }),
      'host',
    )
    setBusy(false)
    if (opened) onOpened()
  }
  return (
    <Stack gap="md" component="form" onSubmit={(event: FormEvent) => void open(event)}>
      <NativeSelect
        data-autofocus
        label={t('setup.assign')}
        value={assignment}
        data={assignments.map((one) => ({ value: one, label: t(`setup.${one}`) }))}
        onChange={({ currentTarget: { value } }) => change(value as Assignment, count)}
      />
      <div className={classes.row}>
        <NumberInput
          className={classes.grows}
          label={t('setup.count')}
          min={1}
          max={maxBreakoutRooms}
          clampBehavior="strict"
          allowDecimal={false}
          value={count}
          onChange={(value) => typeof value === 'number' && value >= 1 && change(assignment, value)}
        />
        <MinutesField minutes={minutes} onMinutes={setMinutes} />
      </div>
      <Text size="sm" c="dimmed">
        {t('setup.minutesHint')}
      </Text>
      <RoomNames
        count={count}
        names={names}
        people={people}
        places={places}
        onName={(at, name) => setNames({ ...names, [at]: name })}
      />
      {assignment !== 'choice' && people.length > 0 && (
        <Stack gap="xs">
          <div className={classes.head}>
            <Title order={3} size="h5">
              {t('setup.people')}
            </Title>
            {assignment === 'random' && (
              <Button size="sm" variant="default" onClick={() => change('random', count)}>
                {t('setup.shuffle')}
              </Button>
            )}
          </div>
          {people.map((person) => (
            <PlaceSelect
              key={person.id}
              person={person}
              value={places[person.id]}
              rooms={Array.from({ length: count }, (_, at) => nameOfRoom(at))}
              onPlace={(at) => setPlaces(withPlace(places, person.id, at))}
            />
          ))}
        </Stack>
      )}
      <Button type="submit" loading={busy}>
        {t('setup.open')}
      </Button>
    </Stack>
  )
}

type RoomNamesProps = {
  count: number
  names: Readonly<Record<number, string>>
  people: readonly PlacedPerson[]
  places: Places
  onName(at: number, name: string): void
}

/** The rooms by name, with who would be in them. */
function RoomNames({ count, names, people, places, onName }: RoomNamesProps) {
  const { t } = useTranslation(['breakout', 'app'])
  const nameOf = useNameOf()
  return (
    <ul className={classes.rooms} aria-label={t('run.rooms')}>
      {groupsOf(places, count).map((ids, at) => {
        const inside = people.filter(({ id }) => ids.includes(id)).map(nameOf)
        const number = at + 1
        return (
          <li key={number} className={classes.room}>
            <TextInput
              label={t('setup.name', { number })}
              placeholder={t('room', { number })}
              maxLength={maxBreakoutNameLength}
              value={names[at] ?? ''}
              onChange={({ currentTarget: { value } }) => onName(at, value)}
            />
            <RoomPeople names={inside} />
          </li>
        )
      })}
    </ul>
  )
}

/** The names of the people in a room. */
export function RoomPeople({ names }: { names: readonly string[] }) {
  const { t, i18n } = useTranslation('breakout')
  return (
    <Text size="sm" mt="xs" className={classes.people} {...(names.length === 0 && { c: 'dimmed' })}>
      {names.length === 0 ? t('setup.noOne') : new Intl.ListFormat(i18n.language).format(names)}
    </Text>
  )
}

type PlaceSelectProps = {
  person: PlacedPerson
  /** The index of the room; undefined for the main room. */
  value: number | undefined
  rooms: readonly string[]
  onPlace(at: number | undefined): void
}

/** Move one person, by keyboard as by pointer. */
export function PlaceSelect({ person, value, rooms, onPlace }: PlaceSelectProps) {
  const { t } = useTranslation(['breakout', 'app'])
  const nameOf = useNameOf()
  const name = nameOf(person)
  return (
    <NativeSelect
      label={name}
      aria-label={t('setup.roomOf', { name })}
      {...(person.asksForHelp && { description: t('run.help') })}
      value={value === undefined ? '' : String(value)}
      data={[{ value: '', label: t('main') }, ...rooms.map((label, at) => ({ value: String(at), label }))]}
      onChange={({ currentTarget: { value: chosen } }) => onPlace(chosen === '' ? undefined : Number(chosen))}
    />
  )
}

type MinutesFieldProps = {
  description?: string | undefined
  minutes: number | undefined
  onMinutes(minutes: number | undefined): void
}

/** After how many minutes the rooms close. */
export function MinutesField({ description, minutes, onMinutes }: MinutesFieldProps) {
  const { t } = useTranslation('breakout')
  return (
    <NumberInput
      className={classes.grows}
      label={t('setup.minutes')}
      description={description}
      min={1}
      max={maxBreakoutMinutes}
      clampBehavior="strict"
      allowDecimal={false}
      value={minutes ?? ''}
      onChange={(value) => onMinutes(typeof value === 'number' && value >= 1 ? value : undefined)}
    />
  )
}
