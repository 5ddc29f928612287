import { Button, NativeSelect, Stack, Text } from '@mantine/core'
import type { Participant } from '@parley/client/join'
import { useBlocker } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { isLayerOpen } from '../../ui/hooks/use-back-closes.ts'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { Modal } from '../../ui/Modal.tsx'
import { useNameOf, useSnapshot, useVisited } from '../room-context.ts'
import { useAction } from '../use-action.ts'
import { useFocusOnMount } from '../use-focus-on-mount.ts'

/** Hosts choose between leaving, also with another host in their place, and ending the meeting for all. */
export function LeaveDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation(['room', 'app', 'call'])
  const { room } = useVisited()
  const { role, others, elsewhere, hostView, me } = useSnapshot()
  const runAction = useAction()
  const [ending, setEnding] = useState(false)
  const [handsOver, setHandsOver] = useState(false)
  useReturnFocus()
  const isAlone = others.length + elsewhere.length === 0
  // Also in another breakout room.
  const hasHost = hostView?.participants.some(
    (person) => person.role !== 'participant' && person.admissionId !== me?.id,
  )
  const candidates = others.filter((person) => person.role !== 'host')
  const end = async () => {
    setEnding(true)
    if (!(await runAction(room.host.end, 'host'))) setEnding(false)
  }
  return (
    <Modal opened onClose={onClose} title={t('call:leave.title')} closeButtonProps={{ 'aria-label': t('app:close') }}>
      {handsOver ? (
        <NextHost candidates={candidates} onClose={onClose} />
      ) : (
        <Stack gap="sm">
          <Text>{t(isAlone ? 'call:leave.alone' : 'call:leave.text')}</Text>
          {!isAlone && hasHost === false && <Text>{t('call:leave.noHost')}</Text>}
          <Button data-autofocus onClick={() => void room.leave()}>
            {t('tools.leave')}
          </Button>
          {role === 'host' && candidates.length > 0 && (
            <Button variant="default" onClick={() => setHandsOver(true)}>
              {t('call:leave.handOver')}
            </Button>
          )}
          <Button color="red" loading={ending} onClick={end}>
            {t('call:leave.end')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {t('app:cancel')}
          </Button>
        </Stack>
      )}
    </Modal>
  )
}

type NextHostProps = { candidates: readonly Participant[]; onClose(): void }

/** Choose who is the host from now on, and leave once the service has made them one. */
function NextHost({ candidates, onClose }: NextHostProps) {
  const { t } = useTranslation(['room', 'app', 'call'])
  const { room } = useVisited()
  const runAction = useAction()
  const nameOf = useNameOf()
  const select = useFocusOnMount<HTMLSelectElement>()
  const [chosen, setChosen] = useState<string>()
  const [busy, setBusy] = useState(false)
  // A cohost comes to mind first; a person who has left is no longer chosen.
  const first = candidates.find(({ role }) => role === 'cohost') ?? candidates[0]
  const next = candidates.find(({ id }) => id === chosen) ?? first
  const handOver = async (event: FormEvent) => {
    event.preventDefault()
    if (next === undefined) return
    setBusy(true)
    if (await runAction(() => room.host.makeHost(next.id), 'host')) await room.leave()
    else setBusy(false)
  }
  return (
    <Stack gap="sm" component="form" onSubmit={(event: FormEvent) => void handOver(event)}>
      <NativeSelect
        ref={select}
        label={t('call:leave.nextHost')}
        description={t('call:leave.nextHostHint')}
        value={next?.id ?? ''}
        data={candidates.map((person) => ({ value: person.id, label: nameOf(person) }))}
        onChange={({ currentTarget: { value } }) => setChosen(value)}
      />
      <Button type="submit" loading={busy} disabled={next === undefined}>
        {t('call:leave.handOverNow')}
      </Button>
      <Button variant="default" onClick={onClose}>
        {t('app:cancel')}
      </Button>
    </Stack>
  )
}

/**
 * Ask before a link, the browser's Back or a command takes the person out of the call. Before the tab is closed,
 * reloaded or used for another site, the browser asks in its own words. It asks while it is mounted: inside the room.
 */
export function LeaveGuard() {
  const { room } = useVisited()
  const { status, proceed, reset } = useBlocker({
    // The PIN in the fragment may go without leaving the room, and Back closes an open dialog first.
    shouldBlockFn: ({ action, current, next }) =>
      current.pathname !== next.pathname && !(action === 'BACK' && isLayerOpen()),
    enableBeforeUnload: true,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  const leave = () => {
    proceed()
    // At once: while the next page loads, no one hears a person who has left, and the browser asks nothing.
    void room.leave()
  }
  return <LeaveQuestion onLeave={leave} onStay={reset} />
}

function LeaveQuestion({ onLeave, onStay }: { onLeave(): void; onStay(): void }) {
  const { t } = useTranslation(['room', 'call'])
  const { others, elsewhere } = useSnapshot()
  useReturnFocus()
  return (
    <ConfirmDialog
      opened
      dangerous
      title={t('call:guard.title')}
      confirm={t('tools.leave')}
      cancel={t('call:guard.stay')}
      onConfirm={onLeave}
      onClose={onStay}
    >
      <Text>{t(others.length + elsewhere.length > 0 ? 'call:guard.text' : 'call:guard.alone')}</Text>
    </ConfirmDialog>
  )
}
