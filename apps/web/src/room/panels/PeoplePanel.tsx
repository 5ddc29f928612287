import { Title } from '@mantine/core'
import type { HostActions, Participant } from '@parley/client/join'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showToast } from '../../ui/toast.ts'
import { allParticipants, isHosting, useSnapshot, useVisited } from '../room-context.ts'
import { useAction } from '../use-action.ts'
import { useNameOf } from '../use-name-of.ts'
import { HostControls } from './HostControls.tsx'
import { NewGuests } from './NewGuests.tsx'
import { PanelFrame } from './PanelFrame.tsx'
import classes from './PeoplePanel.module.css'
import { PersonActionDialog } from './PersonActionDialog.tsx'
import { PersonRow } from './PersonRow.tsx'
import { actionsFor, type ConfirmedAction, isConfirmed, type PersonAction } from './person-actions.ts'
import { useNewGuests } from './use-new-guests.ts'
import { DeniedPeople, WaitingRoom } from './WaitingLists.tsx'
import type { WaitingPerson } from './waiting-person.ts'

const hostActions = {
  mute: 'mute',
  stop_camera: 'stopCamera',
  stop_share: 'stopShare',
  lower_hand: 'lowerHand',
  lift_hard_mute: 'liftHardMute',
  ask_unmute: 'askUnmute',
  remove: 'remove',
  make_cohost: 'makeCohost',
  remove_cohost: 'removeCohost',
} as const satisfies Record<PersonAction, keyof HostActions>

type PeoplePanelProps = { waiting: readonly WaitingPerson[]; onClose(): void }

/** The participants and the waiting people, with the host's actions. */
export function PeoplePanel({ waiting, onClose }: PeoplePanelProps) {
  const { t } = useTranslation(['room', 'app'])
  const { room } = useVisited()
  const snapshot = useSnapshot()
  const runAction = useAction()
  const setRequired = useNewGuests()
  const [asked, setAsked] = useState<{ person: Participant; action: ConfirmedAction }>()
  const nameOf = useNameOf()
  const people = allParticipants(snapshot)
  const known = new Map(snapshot.hostView?.participants.map((person) => [person.admissionId, person]))

  const act = async (person: Participant, action: PersonAction) => {
    const done = await runAction(() => room.host[hostActions[action]](person.id), 'host')
    if (!done) return false
    // A removed guest may return without the cookie that identifies them.
    const offersApproval =
      action === 'remove' && snapshot.hostView?.waitingRoom === false && !snapshot.hostView.approvalRequired
    const name = nameOf(person)
    showToast({
      about: 'host',
      message: t(`people.done.${action}`, { name }),
      ...(offersApproval && { action: { label: t('newGuests.ask'), run: () => void setRequired(true) } }),
    })
    return true
  }
  return (
    <PanelFrame title={t('tools.people')} onClose={onClose} footer={isHosting(snapshot) ? <HostControls /> : undefined}>
      {snapshot.hostView !== null && <WaitingRoom waiting={waiting} />}
      <section className={classes.section}>
        <Title order={3} size="h5">
          {t('people.inside', { count: people.length })}
        </Title>
        <ul className={classes.list} aria-label={t('people.inside', { count: people.length })}>
          {byHand(people).map((person) => {
            const { hardMuted = false, madeCohost = false, email = null } = known.get(person.id) ?? {}
            return (
              <PersonRow
                key={person.id}
                person={person}
                hardMuted={hardMuted}
                email={email}
                actions={actionsFor({ myRole: snapshot.role, person, hardMuted, madeCohost })}
                onAction={(action) => (isConfirmed(action) ? setAsked({ person, action }) : void act(person, action))}
              />
            )
          })}
        </ul>
      </section>
      {snapshot.hostView !== null && <DeniedPeople people={snapshot.hostView.denied} />}
      {snapshot.hostView !== null && <NewGuests watch={snapshot.hostView} />}
      {asked !== undefined && (
        <PersonActionDialog
          action={asked.action}
          name={nameOf(asked.person)}
          onConfirm={() => act(asked.person, asked.action)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </PanelFrame>
  )
}

/** Raised hands first, in the order in which they were raised; then the others in the order of joining. */
const byHand = (people: readonly Participant[]) =>
  people.toSorted((a, b) => (a.handPlace ?? people.length + 1) - (b.handPlace ?? people.length + 1))
