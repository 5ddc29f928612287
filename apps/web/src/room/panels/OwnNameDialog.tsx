import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useReturnFocus } from '../../ui/hooks/use-return-focus.ts'
import { Modal } from '../../ui/Modal.tsx'
import { showToast } from '../../ui/toast.ts'
import { keepChoice, keptChoice } from '../lobby/device-choice.ts'
import { maxNameLength } from '../lobby/NameField.tsx'
import { useSnapshot, useVisited } from '../room-context.ts'
import { useAction } from '../use-action.ts'

/** Change the person's own name in this call. */
export function OwnNameDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation(['room', 'app', 'violations'])
  const { room } = useVisited()
  const { me } = useSnapshot()
  const runAction = useAction()
  const [name, setName] = useState(me?.name ?? '')
  const [busy, setBusy] = useState(false)
  const [isMissing, setMissing] = useState(false)
  useReturnFocus()
  const rename = async (event: FormEvent) => {
    event.preventDefault()
    const wanted = name.trim()
    setMissing(wanted === '')
    if (wanted === '') return
    setBusy(true)
    const done = await runAction(() => room.rename(wanted), 'name')
    setBusy(false)
    if (!done) return
    // A guest joins with the same name after a reload.
    if (me?.isGuest === true) keepChoice(localStorage, { ...keptChoice(localStorage), name: wanted })
    showToast({ about: 'name', message: t('rename.done', { name: wanted }) })
    onClose()
  }
  return (
    <Modal opened onClose={onClose} title={t('rename.open')} closeButtonProps={{ 'aria-label': t('app:close') }}>
      <form noValidate onSubmit={(event) => void rename(event)}>
        <TextInput
          data-autofocus
          label={t('lobby.name')}
          description={me?.isGuest === true ? t('rename.hint') : t('rename.hintAccount')}
          required
          maxLength={maxNameLength}
          value={name}
          error={isMissing ? t('violations:required') : undefined}
          onChange={({ currentTarget: { value } }) => setName(value)}
        />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t('app:cancel')}
          </Button>
          <Button type="submit" loading={busy}>
            {t('rename.save')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
