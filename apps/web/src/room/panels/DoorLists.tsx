import { Button, Group, Switch, Text, Title } from '@mantine/core'
import type { RoomWatch } from '@parley/contract'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useVisited } from '../room-context.ts'
import { PersonPortrait } from '../tiles/PersonPortrait.tsx'
import { useDeed } from '../use-deed.ts'
import classes from './PeoplePanel.module.css'
import { useBellSetting } from './use-bell.ts'
import type { WaitingPerson } from './waiting-person.ts'

type AtTheDoor = WaitingPerson | RoomWatch['turnedAway'][number]

type DoorListsProps = { waiting: readonly WaitingPerson[]; turnedAway: RoomWatch['turnedAway'] }

/** Who waits, and who was turned away: a host lets either of them in. */
export function DoorLists({ waiting, turnedAway }: DoorListsProps) {
  const { t } = useTranslation('room')
  const { room } = useVisited()
  const deed = useDeed()
  const [bell, setBell] = useBellSetting()
  const heading = useRef<HTMLHeadingElement>(null)
  /** The row that was decided about goes, and its buttons with it: the focus must be somewhere. */
  const decide = async (decision: 'admit' | 'deny', { admissionId }: AtTheDoor) => {
    if (await deed(() => room.host[decision](admissionId), 'door')) heading.current?.focus({ preventScroll: true })
  }
  const admit = (person: AtTheDoor) => void decide('admit', person)
  const deny = (person: AtTheDoor) => void decide('deny', person)
  return (
    <>
      <section className={classes.section}>
        <div className={classes.heading}>
          <Title order={3} size="h5" ref={heading} tabIndex={-1} className={classes.title}>
            {t('door.waiting', { count: waiting.length })}
          </Title>
          {waiting.length > 1 && (
            <Button size="compact-sm" variant="default" onClick={() => void deed(room.host.admitAll, 'door')}>
              {t('door.admitAll')}
            </Button>
          )}
        </div>
        {waiting.length === 0 && (
          <Text size="sm" c="dimmed">
            {t('door.nobody')}
          </Text>
        )}
        <DoorList people={waiting} label={t('door.waiting', { count: waiting.length })} onAdmit={admit} onDeny={deny} />
        <Switch
          mt="sm"
          label={t('door.bell')}
          checked={bell}
          onChange={({ currentTarget: { checked } }) => setBell(checked)}
        />
      </section>
      {turnedAway.length > 0 && (
        <section className={classes.section}>
          <Title order={3} size="h5">
            {t('door.turnedAway', { count: turnedAway.length })}
          </Title>
          <DoorList people={turnedAway} label={t('door.turnedAway', { count: turnedAway.length })} onAdmit={admit} />
        </section>
      )}
    </>
  )
}

type DoorListProps = {
  people: readonly AtTheDoor[]
  label: string
  onAdmit(person: AtTheDoor): void
  onDeny?(person: AtTheDoor): void
}

function DoorList({ people, label, onAdmit, onDeny }: DoorListProps) {
  const { t } = useTranslation('room')
  return (
    <ul className={classes.list} aria-label={label}>
      {people.map((person) => {
        const name = person.name === '' ? t('guest') : person.name
        return (
          <li key={person.admissionId} className={classes.person}>
            <PersonPortrait name={name} />
            <div className={classes.facts}>
              <span className={classes.name}>{name}</span>
              {person.email !== null && <span className={classes.detail}>{person.email}</span>}
            </div>
            <Group gap="xs" className={classes.choices}>
              {onDeny !== undefined && (
                <Button variant="default" aria-label={t('door.denyName', { name })} onClick={() => onDeny(person)}>
                  {t('door.deny')}
                </Button>
              )}
              <Button aria-label={t('door.admitName', { name })} onClick={() => onAdmit(person)}>
                {t('door.admit')}
              </Button>
            </Group>
          </li>
        )
      })}
    </ul>
  )
}
