import { ActionIcon, Menu, Text } from '@mantine/core'
import type { Participant } from '@parley/client/join'
import { IconDotsVertical, IconHandStop, IconMicrophone, IconMicrophoneOff, IconPencil } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { PersonPortrait } from '../../ui/Portrait.tsx'
import { GuestBadge } from '../GuestBadge.tsx'
import classes from './PeoplePanel.module.css'
import type { ConfirmedAction, PersonAction } from './person-actions.ts'

type PersonRowProps = {
  person: Participant
  hardMuted: boolean
  email: string | null
  /** The name by which hosts knew the person first; null where it has not changed. */
  formerName: string | null
  /** What is off for the participant and on for all. */
  turnedOff: string | undefined
  actions: readonly PersonAction[]
  onAction(action: PersonAction): void
  /** Whether a host shows the person large to everyone. */
  inFront: boolean
  /** Absent for people who are not hosts. */
  onFront: (() => void) | undefined
  /** Absent where there is nothing to set. */
  onRights: (() => void) | undefined
  /** Absent on the rows of others. */
  onRename: (() => void) | undefined
}

/** One participant and the available actions. */
export function PersonRow(props: PersonRowProps) {
  const { person, hardMuted, email, formerName, turnedOff, actions, onAction, inFront, onFront, onRights, onRename } =
    props
  const { t } = useTranslation(['room', 'app', 'call'])
  const { role, muted, handPlace, isMe } = person
  const name = person.name === '' ? t('app:guest') : person.name
  return (
    <li className={classes.person}>
      <PersonPortrait name={name} />
      <div className={classes.facts}>
        <span className={classes.named}>
          <span className={classes.name} dir="auto">
            {isMe ? t('call:tile.you', { name }) : name}
          </span>
          <GuestBadge person={person} />
        </span>
        {formerName !== null && (
          <span className={classes.detail}>{t('call:people.renamedFrom', { name: formerName })}</span>
        )}
        {email !== null && <span className={classes.detail}>{email}</span>}
        {role !== 'participant' && <span className={classes.detail}>{t(`app:roles.${role}`)}</span>}
        {inFront && <span className={classes.detail}>{t('call:spotlight.on')}</span>}
        {hardMuted && <span className={classes.detail}>{t('call:people.hardMuted')}</span>}
        {turnedOff !== undefined && <span className={classes.detail}>{turnedOff}</span>}
      </div>
      {handPlace !== null && (
        <span className={classes.hand}>
          <IconHandStop size={18} aria-hidden />
          <span className="hidden">{t('call:tile.hand')}</span>
          {handPlace}
        </span>
      )}
      {muted ? (
        <IconMicrophoneOff size={20} role="img" aria-label={t('call:tile.muted')} />
      ) : (
        <IconMicrophone size={20} role="img" aria-label={t('call:tile.unmuted')} />
      )}
      {onRename !== undefined && (
        <ActionIcon variant="subtle" color="gray" size="xl" aria-label={t('rename.open')} onClick={onRename}>
          <IconPencil size={20} aria-hidden />
        </ActionIcon>
      )}
      {(actions.length > 0 || onFront !== undefined) && (
        <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" size="xl" aria-label={t('call:people.actions', { name })}>
              <IconDotsVertical size={20} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {actions.map((action) => (
              <Menu.Item
                key={action}
                {...(action === 'remove' && { c: 'var(--parley-danger)' })}
                onClick={() => onAction(action)}
              >
                {t(`call:people.do.${action}`)}
              </Menu.Item>
            ))}
            {onFront !== undefined && (
              <Menu.Item onClick={onFront}>{t(inFront ? 'call:spotlight.stop' : 'call:spotlight.start')}</Menu.Item>
            )}
            {onRights !== undefined && <Menu.Item onClick={onRights}>{t('rights.open')}</Menu.Item>}
          </Menu.Dropdown>
        </Menu>
      )}
    </li>
  )
}

type PersonActionDialogProps = {
  action: ConfirmedAction
  name: string
  onConfirm(): Promise<boolean>
  onClose(): void
}

/** Ask before an action that changes what a participant may do in the meeting. */
export function PersonActionDialog({ action, name, onConfirm, onClose }: PersonActionDialogProps) {
  const { t } = useTranslation(['room', 'call'])
  const [busy, setBusy] = useState(false)
  useReturnFocus()
  const confirm = async () => {
    setBusy(true)
    await onConfirm()
    onClose()
  }
  return (
    <ConfirmDialog
      opened
      dangerous={action === 'remove'}
      busy={busy}
      title={t(`call:people.ask.${action}.title`, { name })}
      confirm={t(`call:people.ask.${action}.confirm`)}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Text>{t(`call:people.ask.${action}.text`)}</Text>
    </ConfirmDialog>
  )
}
