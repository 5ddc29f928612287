import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { JoinSecret } from '../session/kept-secrets.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { maxPinCharacters } from './PinForm.tsx'

type HostPinFormProps = { busy: boolean; onSubmit(secret: JoinSecret): void }

/**
 * While PIN attempts are paused, the PIN together with the host's PIN is accepted: an attacker who guesses has neither.
 */
export function HostPinForm({ busy, onSubmit }: HostPinFormProps) {
  const { t } = useTranslation(['join', 'app'])
  const { t: violation } = useTranslation('violations')
  const [opened, setOpened] = useState(false)
  const required = (value: string) => (value.trim() === '' ? violation('required') : null)
  const form = useForm({ initialValues: { pin: '', hostPin: '' }, validate: { pin: required, hostPin: required } })
  if (!opened) {
    return (
      <Button variant="subtle" fullWidth onClick={() => setOpened(true)}>
        {t('hostPin.open')}
      </Button>
    )
  }
  const submit = ({ pin, hostPin }: typeof form.values) =>
    onSubmit({ pin: pin.replaceAll(/\s/g, ''), hostKey: hostPin.replaceAll(/\s/g, '') })
  const asTyped = { required: true, autoComplete: 'off', spellCheck: false, dir: 'ltr', mb: 'md' } as const
  return (
    <form noValidate onSubmit={form.onSubmit(submit, focusFirstInvalid)}>
      <TextInput
        label={t('app:pin')}
        data-autofocus
        autoFocus
        autoCapitalize="none"
        maxLength={maxPinCharacters}
        {...asTyped}
        {...form.getInputProps('pin')}
      />
      <TextInput
        label={t('hostPin.label')}
        description={t('hostPin.hint')}
        inputMode="numeric"
        maxLength={maxPinCharacters}
        {...asTyped}
        {...form.getInputProps('hostPin')}
      />
      <Button type="submit" fullWidth loading={busy}>
        {t('hostPin.submit')}
      </Button>
    </form>
  )
}
