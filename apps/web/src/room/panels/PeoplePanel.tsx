import { Button, Text, Title } from '@mantine/core'
import type { HostActions, Participant } from '@parley/client/join'
import type { RoomWatch } from '@parley/contract'
import { changedRightsOf } from '@parley/rules/rooms/room-rights'
import { IconAdjustments, IconLock, IconLockOpen, IconMicrophoneOff } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showToast } from '../../ui/toast.ts'
import { allParticipants, isHosting, useNameOf, useSnapshot, useVisited } from '../room-context.ts'
import { useSpotlight } from '../Spotlight.tsx'
import { useAction } from '../use-action.ts'
import { OwnNameDialog } from './OwnNameDialog.tsx'
import { PanelFrame } from './PanelFrame.tsx'
import classes from './PeoplePanel.module.css'
import { PersonActionDialog, PersonRow } from './PersonRow.tsx'
import { actionsFor, type ConfirmedAction, isConfirmed, type PersonAction } from './person-actions.ts'
import { RightsDialog } from './RightsDialog.tsx'
import type { WaitingPerson } from './use-waiting.ts'
import { DeniedPeople, WaitingRoom } from './WaitingLists.tsx'

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
  make_host: 'makeHost',
  remove_host: 'removeHost',
} as const satisfies Record<PersonAction, keyof HostActions>

type PeoplePanelProps = { waiting: readonly WaitingPerson[]; onClose(): void }

/** The participants and the waiting people, with the host's actions. */
export function PeoplePanel({ waiting, onClose }: PeoplePanelProps) {
  const { t, i18n } = useTranslation(['room', 'app', 'call'])
  const { room } = useVisited()
  const snapshot = useSnapshot()
  const runAction = useAction()
  const setRequired = useNewGuests()
  const [rightsOf, setRightsOf] = useState<{ person?: Participant }>()
  const [renaming, setRenaming] = useState(false)
  const [asked, setAsked] = useState<{ person: Participant; action: ConfirmedAction }>()
  const nameOf = useNameOf()
  const spotlight = useSpotlight()
  const people = allParticipants(snapshot)
  const known = new Map(snapshot.hostView?.participants.map((person) => [person.admissionId, person]))

  const inside = t(snapshot.breakout === null ? 'call:people.inside' : 'call:breakout.inside', { count: people.length })
  const turnedOffFor = ({ id }: Participant) => {
    const allowed = known.get(id)?.allowed
    if (snapshot.hostView === null || allowed === undefined) return undefined
    const rights = changedRightsOf(snapshot.hostView.allowed, allowed).filter((right) => !allowed[right])
    // A line of its own says that a person cannot speak.
    const names = rights.filter((right) => right !== 'microphone').map((right) => t(`rights.names.${right}`))
    if (names.length === 0) return undefined
    return t('rights.turnedOff', { list: new Intl.ListFormat(i18n.language).format(names) })
  }

  const act = async (person: Participant, action: PersonAction) => {
    const done = await runAction(() => room.host[hostActions[action]](person.id), 'host')
    if (!done) return false
    // A removed guest may return without the cookie that identifies them.
    const offersApproval =
      action === 'remove' && snapshot.hostView?.waitingRoom === false && !snapshot.hostView.approvalRequired
    const name = nameOf(person)
    showToast({
      about: 'host',
      message: t(`call:people.done.${action}`, { name }),
      ...(offersApproval && { action: { label: t('call:newGuests.ask'), run: () => void setRequired(true) } }),
    })
    return true
  }
  return (
    <PanelFrame
      title={t('tools.people')}
      onClose={onClose}
      footer={isHosting(snapshot) ? <HostControls onRights={() => setRightsOf({})} /> : undefined}
    >
      {snapshot.hostView !== null && <WaitingRoom waiting={waiting} />}
      <section className={classes.section}>
        <Title order={3} size="h5">
          {inside}
        </Title>
        <ul className={classes.list} aria-label={inside}>
          {byHand(people).map((person) => {
            const { hardMuted = false, madeCohost = false, madeHost = false } = known.get(person.id) ?? {}
            const { email = null, formerName = null } = known.get(person.id) ?? {}
            const removableHost = madeHost && snapshot.hostView?.owns === true
            const hasRights = known.get(person.id)?.role === 'participant'
            return (
              <PersonRow
                key={person.id}
                person={person}
                hardMuted={hardMuted}
                email={email}
                formerName={formerName}
                turnedOff={turnedOffFor(person)}
                actions={actionsFor({ myRole: snapshot.role, person, hardMuted, madeCohost, removableHost })}
                onAction={(action) => (isConfirmed(action) ? setAsked({ person, action }) : void act(person, action))}
                inFront={spotlight.has(person.id)}
                onFront={spotlight.toggle && (() => spotlight.toggle?.(person))}
                onRights={hasRights ? () => setRightsOf({ person }) : undefined}
                onRename={person.isMe ? () => setRenaming(true) : undefined}
              />
            )
          })}
        </ul>
      </section>
      {snapshot.hostView !== null && <DeniedPeople people={snapshot.hostView.denied} />}
      {snapshot.hostView !== null && <NewGuests watch={snapshot.hostView} />}
      {rightsOf !== undefined && <RightsDialog {...rightsOf} onClose={() => setRightsOf(undefined)} />}
      {renaming && <OwnNameDialog onClose={() => setRenaming(false)} />}
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

/** Host actions that apply to all participants. */
function HostControls({ onRights }: { onRights(): void }) {
  const { t } = useTranslation(['room', 'call'])
  const { room } = useVisited()
  const locked = useSnapshot().hostView?.locked ?? false
  const runAction = useAction()
  const showWhenDone = async (done: Promise<boolean>, message: string) => {
    if (await done) showToast({ about: 'host', message })
  }
  return (
    <div className={classes.controls}>
      <Button
        variant="default"
        leftSection={<IconMicrophoneOff size={18} aria-hidden />}
        onClick={() => showWhenDone(runAction(room.host.muteAll, 'host'), t('call:host.mutedAll'))}
      >
        {t('call:host.muteAll')}
      </Button>
      <Button
        variant="default"
        leftSection={locked ? <IconLockOpen size={18} aria-hidden /> : <IconLock size={18} aria-hidden />}
        onClick={() =>
          showWhenDone(
            runAction(locked ? room.host.unlock : room.host.lock, 'host'),
            t(locked ? 'call:host.unlocked' : 'call:host.locked'),
          )
        }
      >
        {t(locked ? 'call:host.unlock' : 'call:host.lock')}
      </Button>
      <Button variant="default" leftSection={<IconAdjustments size={18} aria-hidden />} onClick={onRights}>
        {t('rights.open')}
      </Button>
    </div>
  )
}

/** Whether new guests have to wait. Offered after a guest was declined or removed, and shown while it is on. */
function NewGuests({ watch }: { watch: RoomWatch }) {
  const { t } = useTranslation(['room', 'call'])
  const setRequired = useNewGuests()
  const { waitingRoom, approvalRequired, denied } = watch
  // With a waiting room, everyone waits anyway.
  if (waitingRoom || (!approvalRequired && denied.length === 0)) return null
  return (
    <section className={classes.section}>
      <Text size="sm" {...(!approvalRequired && { c: 'dimmed' })}>
        {t(approvalRequired ? 'call:newGuests.on' : 'call:newGuests.off')}
      </Text>
      <Button mt="xs" variant="default" onClick={() => void setRequired(!approvalRequired)}>
        {t(approvalRequired ? 'call:newGuests.stop' : 'call:newGuests.ask')}
      </Button>
    </section>
  )
}

/** Make new guests wait to be admitted, or let them in directly again, and report it. */
function useNewGuests(): (required: boolean) => Promise<void> {
  const { t } = useTranslation(['room', 'call'])
  const { room } = useVisited()
  const runAction = useAction()
  return async (required) => {
    const { requireApproval, stopRequiringApproval } = room.host
    if (!(await runAction(required ? requireApproval : stopRequiringApproval, 'host'))) return
    showToast({ about: 'host', message: t(required ? 'call:newGuests.asked' : 'call:newGuests.stopped') })
  }
}
