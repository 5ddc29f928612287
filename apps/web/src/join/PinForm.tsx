import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'

/** The contract's limit: a host's PIN is longer than a meeting's. */
export const maxPinCharacters = 32

type PinFormProps = { busy: boolean; error: string | undefined; onSubmit(pin: string): void }

/** A PIN typed by hand: case and spaces are ignored. */
export function PinForm({ busy, error, onSubmit }: PinFormProps) {
  const { t } = useTranslation(['join', 'app'])
  const { t: violation } = useTranslation('violations')
  const form = useForm({
    initialValues: { pin: '' },
    validate: { pin: (pin) => (pin.trim() === '' ? violation('required') : null) },
  })
  const field = form.getInputProps('pin')
  return (
    <form noValidate onSubmit={form.onSubmit(({ pin }) => onSubmit(pin.replaceAll(/\s/g, '')), focusFirstInvalid)}>
      <TextInput
        label={t('app:pin')}
        description={t('pin.hint')}
        required
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={maxPinCharacters}
        dir="ltr"
        mb="md"
        {...field}
        error={field.error ?? error}
      />
      <Button type="submit" fullWidth loading={busy}>
        {t('app:continue')}
      </Button>
    </form>
  )
}
