import { Badge, Button, Group, Stack, Text, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import type { Passkey } from '@parley/contract'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { IconFingerprint } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFieldErrors } from '../session/field-errors.ts'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { SettingsSection } from '../settings/SettingsPage.tsx'
import { useDates } from '../texts/dates.ts'
import { useNow } from '../ui/hooks/use-now.ts'
import { useReturnFocus } from '../ui/hooks/use-return-focus.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { Modal } from '../ui/Modal.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { Row, Rows } from '../ui/Rows.tsx'
import { showToast } from '../ui/toast.ts'
import { AddPasskeyDialog } from './AddPasskeyDialog.tsx'
import { EndCredentialDialog } from './EndCredentialDialog.tsx'
import { useRenamePasskey } from './security-mutations.ts'
import { passkeysQuery } from './security-queries.ts'

const minuteMs = 60_000

type Doing = { action: 'add' } | { action: 'rename' | 'remove'; passkey: Passkey } | undefined

/** Passkeys on phones, computers and security keys, which sign in without a password. */
export function PasskeysSection() {
  const { t } = useTranslation('security')
  const { data, error } = useQuery(passkeysQuery)
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  const supported = browserSupportsWebAuthn()
  return (
    <SettingsSection
      title={t('passkeys.title')}
      explanation={t('passkeys.explanation')}
      actions={
        supported && (
          <Button variant="default" size="sm" onClick={() => setDoing({ action: 'add' })}>
            {t('passkeys.add')}
          </Button>
        )
      }
    >
      {!supported && <Text mb="sm">{t('passkeys.unsupported')}</Text>}
      <ProblemAlert error={error} />
      {data === undefined && error === null && (
        <Stack aria-busy="true">
          <RowSkeletons rows={1} />
        </Stack>
      )}
      {data?.length === 0 && <Text>{t('passkeys.none')}</Text>}
      {data !== undefined && data.length > 0 && (
        <Rows label={t('passkeys.title')}>
          {data.map((passkey) => (
            <PasskeyRow
              key={passkey._id}
              passkey={passkey}
              onRename={() => setDoing({ action: 'rename', passkey })}
              onRemove={() => setDoing({ action: 'remove', passkey })}
            />
          ))}
        </Rows>
      )}
      {doing?.action === 'add' && <AddPasskeyDialog onClose={close} />}
      {doing?.action === 'rename' && <RenamePasskeyDialog passkey={doing.passkey} onClose={close} />}
      {doing?.action === 'remove' && <RemovePasskeyDialog passkey={doing.passkey} onClose={close} />}
    </SettingsSection>
  )
}

type PasskeyRowProps = { passkey: Passkey; onRename(): void; onRemove(): void }

function PasskeyRow({ passkey, onRename, onRemove }: PasskeyRowProps) {
  const { t } = useTranslation(['security', 'connected-apps', 'app'])
  const { date, relative } = useDates()
  const now = useNow(minuteMs)
  const { name, createdOn, lastUsedOn, synced, suspectedOn } = passkey
  return (
    <Row
      icon={<IconFingerprint size={20} />}
      name={name}
      marks={
        <>
          {synced && <Badge color="gray">{t('passkeys.synced')}</Badge>}
          {suspectedOn !== null && <Badge color="red">{t('passkeys.suspected')}</Badge>}
        </>
      }
      details={[
        t('added', { day: date(createdOn) }),
        lastUsedOn === null
          ? t('app:neverUsed')
          : t('connected-apps:lastUsed', { distance: relative(lastUsedOn, now) }),
        ...(suspectedOn === null ? [] : [t('passkeys.suspectedExplanation')]),
      ]}
      actions={
        <>
          <Button
            variant="default"
            size="xs"
            aria-label={t('named', { action: t('passkeys.rename'), name })}
            onClick={onRename}
          >
            {t('passkeys.rename')}
          </Button>
          <Button
            variant="default"
            size="xs"
            aria-label={t('named', { action: t('passkeys.remove'), name })}
            onClick={onRemove}
          >
            {t('passkeys.remove')}
          </Button>
        </>
      }
    />
  )
}

type RenamePasskeyDialogProps = { passkey: Passkey; onClose(): void }

function RenamePasskeyDialog({ passkey: { _id, name: before }, onClose }: RenamePasskeyDialogProps) {
  useReturnFocus()
  const { t } = useTranslation(['security', 'app', 'violations'])
  const fieldErrors = useFieldErrors()
  const form = useForm({
    initialValues: { name: before },
    validate: { name: (name) => (name.trim() === '' ? t('violations:required') : null) },
  })
  const undoing = useRenamePasskey(_id, {
    onError: () => showToast({ kind: 'problem', message: t('app:undoFailed') }),
  })
  const attempt = useRenamePasskey(_id, {
    onRefreshed: () => {
      showToast({ message: t('security:passkeys.renamed'), undo: () => undoing.mutate(before) })
      onClose()
    },
    onError: (error) => {
      form.setErrors(fieldErrors(error))
      focusFirstInvalid()
    },
  })
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('security:passkeys.renameTitle')}
      closeButtonProps={{ 'aria-label': t('app:close') }}
    >
      <form noValidate onSubmit={form.onSubmit(({ name }) => attempt.mutate(name.trim()), focusFirstInvalid)}>
        <ProblemAlert error={attempt.error} />
        <TextInput label={t('app:name')} required data-autofocus {...form.getInputProps('name')} />
        <Group justify="flex-end" mt="lg">
          <Button variant="default" onClick={onClose}>
            {t('app:cancel')}
          </Button>
          <Button type="submit" loading={attempt.isPending}>
            {t('security:passkeys.rename')}
          </Button>
        </Group>
      </form>
    </Modal>
  )
}

type RemovePasskeyDialogProps = { passkey: Passkey; onClose(): void }

function RemovePasskeyDialog({ passkey: { _id, name }, onClose }: RemovePasskeyDialogProps) {
  const { t } = useTranslation('security')
  return (
    <EndCredentialDialog
      title={t('passkeys.askRemove', { name })}
      explanation={t('passkeys.removeExplanation')}
      confirm={t('passkeys.remove')}
      done={t('passkeys.removed')}
      credential={{ passkeyId: _id }}
      onClose={onClose}
    />
  )
}
