import { Title } from '@mantine/core'
import type { HostDeeds, Participant } from '@parley/client/join'
import type { ParticipantAction } from '@parley/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showToast } from '../../ui/toast.ts'
import { everybody, isHosting, useSnapshot, useVisited } from '../room-context.ts'
import { useDeed } from '../use-deed.ts'
import { DoorLists } from './DoorLists.tsx'
import { HostControls } from './HostControls.tsx'
import { PanelFrame } from './PanelFrame.tsx'
import classes from './PeoplePanel.module.css'
import { PersonRow } from './PersonRow.tsx'
import { actionsFor } from './person-actions.ts'
import { RemoveDialog } from './RemoveDialog.tsx'
import type { WaitingPerson } from './waiting-person.ts'

const deeds = {
  mute: 'mute',
  lift_hard_mute: 'liftHardMute',
  ask_unmute: 'askUnmute',
  remove: 'remove',
  make_cohost: 'makeCohost',
} as const satisfies Record<ParticipantAction, keyof HostDeeds>

type PeoplePanelProps = { waiting: readonly WaitingPerson[]; onClose(): void }

/** Who is here and who would like to be; for hosts with all that they may do about it. */
export function PeoplePanel({ waiting, onClose }: PeoplePanelProps) {
  const { t } = useTranslation('room')
  const { room } = useVisited()
  const snapshot = useSnapshot()
  const deed = useDeed()
  const [removing, setRemoving] = useState<Participant>()
  const people = everybody(snapshot)
  const known = new Map(snapshot.door?.participants.map((person) => [person.admissionId, person]))

  const act = async (person: Participant, action: ParticipantAction) => {
    const done = await deed(() => room.host[deeds[action]](person.id), 'host')
    if (done) showToast({ about: 'host', message: t(`people.done.${action}`, { name: person.name }) })
    return done
  }
  return (
    <PanelFrame title={t('people.title')} onClose={onClose} footer={isHosting(snapshot) ? <HostControls /> : undefined}>
      {snapshot.door !== null && <DoorLists waiting={waiting} turnedAway={snapshot.door.turnedAway} />}
      <section className={classes.section}>
        <Title order={3} size="h5">
          {t('people.inside', { count: people.length })}
        </Title>
        <ul className={classes.list} aria-label={t('people.inside', { count: people.length })}>
          {byHand(people).map((person) => {
            const hardMuted = known.get(person.id)?.hardMuted ?? false
            return (
              <PersonRow
                key={person.id}
                person={person}
                hardMuted={hardMuted}
                email={known.get(person.id)?.email ?? null}
                actions={actionsFor({ myRole: snapshot.role, person, hardMuted })}
                onAction={(action) => (action === 'remove' ? setRemoving(person) : void act(person, action))}
              />
            )
          })}
        </ul>
      </section>
      {removing !== undefined && (
        <RemoveDialog
          name={removing.name}
          onRemove={() => act(removing, 'remove')}
          onClose={() => setRemoving(undefined)}
        />
      )}
    </PanelFrame>
  )
}

/** Raised hands first, the first raised before all; the others as they came. */
const byHand = (people: readonly Participant[]) =>
  people.toSorted((one, other) => (one.handPlace ?? people.length + 1) - (other.handPlace ?? people.length + 1))
