import { Button, NativeSelect, Stack, Switch, TextInput, Title } from '@mantine/core'
import { type BreakoutOfPerson, breakoutCountdowns, maxBreakoutMessageLength } from '@parley/contract'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { Modal } from '../../ui/Modal.tsx'
import { showToast } from '../../ui/toast.ts'
import { isHosting, useNameOf, useSnapshot, useVisited } from '../room-context.ts'
import { useAction } from '../use-action.ts'
import classes from './BreakoutDialog.module.css'
import { BreakoutSetup, MinutesField, PlaceSelect, RoomPeople } from './BreakoutSetup.tsx'
import { placedPeople } from './breakout-people.ts'

/** Breakout rooms: hosts prepare and manage them, others choose one where they may. */
export function BreakoutDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation(['breakout', 'call', 'app'])
  const snapshot = useSnapshot()
  const { breakout } = snapshot
  useReturnFocus()
  return (
    <Modal opened onClose={onClose} title={t('title')} size="lg" closeButtonProps={{ 'aria-label': t('app:close') }}>
      {breakout === null ? (
        <BreakoutSetup onOpened={onClose} />
      ) : (
        <Stack gap="lg">
          <OpenRooms breakout={breakout} onGone={onClose} />
          {isHosting(snapshot) && <HostTools breakout={breakout} />}
        </Stack>
      )}
    </Modal>
  )
}

type OpenRoomsProps = { breakout: BreakoutOfPerson; onGone(): void }

/** The rooms with the people in them, and where the person may go. */
function OpenRooms({ breakout, onGone }: OpenRoomsProps) {
  const { t } = useTranslation(['breakout', 'app'])
  const { room } = useVisited()
  const snapshot = useSnapshot()
  const runAction = useAction()
  const nameOf = useNameOf()
  const people = placedPeople(snapshot)
  const mayChoose = isHosting(snapshot) || breakout.choice
  const rooms = [{ id: null, name: t('main') }, ...breakout.rooms]
  const goTo = async (id: string | null) => {
    if (await runAction(() => room.goToBreakoutRoom(id), 'breakout')) onGone()
  }
  return (
    <ul className={classes.rooms} aria-label={t('run.rooms')}>
      {rooms.map(({ id, name }) => {
        const mayGo = id === null || mayChoose || id === breakout.assignedRoom
        return (
          <li key={id} className={classes.room}>
            <div className={classes.head}>
              <span className={classes.name} dir="auto">
                {name}
              </span>
              {id === breakout.room ? (
                <span>{t('run.here')}</span>
              ) : (
                mayGo && (
                  <Button
                    size="sm"
                    variant="default"
                    aria-label={t('run.goToNamed', { room: name })}
                    onClick={() => void goTo(id)}
                  >
                    {t('run.goTo')}
                  </Button>
                )
              )}
            </div>
            <RoomPeople names={people.filter((one) => one.room === id).map(nameOf)} />
          </li>
        )
      })}
    </ul>
  )
}

/** What hosts do while the rooms are open. */
function HostTools({ breakout }: { breakout: BreakoutOfPerson }) {
  const { t } = useTranslation(['breakout', 'app'])
  const { room } = useVisited()
  const snapshot = useSnapshot()
  const runAction = useAction()
  const [text, setText] = useState('')
  const [minutes, setMinutes] = useState<number>()
  const [countdown, setCountdown] = useState('30')
  const { rooms } = breakout
  const people = placedPeople(snapshot).filter(({ isMe }) => !isMe)
  const update = (changed: Parameters<typeof room.host.updateBreakoutRooms>[0]) =>
    runAction(() => room.host.updateBreakoutRooms(changed), 'host')
  const move = (admissionId: string, at: number | undefined) =>
    void update({ moves: [{ admissionId, room: (at === undefined ? undefined : rooms[at]?.id) ?? null }] })
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '' || !(await update({ message: text }))) return
    setText('')
    showToast({ about: 'host', message: t('run.delivered') })
  }
  const setEnd = async (event: FormEvent) => {
    event.preventDefault()
    if (await update({ minutes: minutes ?? null })) setMinutes(undefined)
  }
  return (
    <>
      <form className={classes.row} onSubmit={(event) => void send(event)}>
        <TextInput
          className={classes.grows}
          label={t('run.message')}
          maxLength={maxBreakoutMessageLength}
          value={text}
          onChange={({ currentTarget: { value } }) => setText(value)}
        />
        <Button type="submit" variant="default" disabled={text.trim() === ''}>
          {t('app:send')}
        </Button>
      </form>
      <Switch
        label={t('run.choice')}
        checked={breakout.choice}
        onChange={({ currentTarget: { checked } }) => void update({ choice: checked })}
      />
      {people.length > 0 && (
        <Stack gap="xs">
          <Title order={3} size="h5">
            {t('setup.people')}
          </Title>
          {people.map((person) => {
            const at = rooms.findIndex(({ id }) => id === person.room)
            return (
              <PlaceSelect
                key={person.id}
                person={person}
                value={at < 0 ? undefined : at}
                rooms={rooms.map(({ name }) => name)}
                onPlace={(chosen) => move(person.id, chosen)}
              />
            )
          })}
        </Stack>
      )}
      <form className={classes.row} onSubmit={(event) => void setEnd(event)}>
        <MinutesField description={t('setup.minutesHint')} minutes={minutes} onMinutes={setMinutes} />
        <Button type="submit" variant="default">
          {t('run.setEnd')}
        </Button>
      </form>
      <div className={classes.row}>
        <NativeSelect
          className={classes.grows}
          label={t('run.closeAfter')}
          value={countdown}
          data={breakoutCountdowns.map((seconds) => ({
            value: String(seconds),
            label: seconds === 0 ? t('run.now') : t('run.seconds', { count: seconds }),
          }))}
          onChange={({ currentTarget: { value } }) => setCountdown(value)}
        />
        <Button
          color="red"
          onClick={() => {
            const closeInSeconds = breakoutCountdowns.find((seconds) => String(seconds) === countdown)
            if (closeInSeconds !== undefined) void update({ closeInSeconds })
          }}
        >
          {t('run.close')}
        </Button>
      </div>
    </>
  )
}
