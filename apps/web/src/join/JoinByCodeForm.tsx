import { Button, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useNavigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { writeCode } from '../meetings/meeting-status.ts'
import { focusFirstInvalid } from '../ui/keyboard/focus-first-invalid.ts'
import { maxPinCharacters } from './PinForm.tsx'
import { readJoinCode } from './read-join-code.ts'

/** The field accepts a pasted invitation with its link. */
const maxCodeCharacters = 4000

/** Open the join page of a meeting by its code or link. A PIN is passed in the fragment, which no server sees. */
export function JoinByCodeForm({ startCode = '' }: { startCode?: string }) {
  const { t } = useTranslation(['join', 'app'])
  const navigate = useNavigate()
  const ownHost = window.location.host
  const form = useForm({
    initialValues: { code: writeCode(startCode), pin: '' },
    validate: {
      code: (code) => {
        const read = readJoinCode(code, ownHost)
        if (read.kind === 'elsewhere') return t('byCode.elsewhere', { host: read.host })
        return read.kind === 'code' ? null : t('byCode.unreadable')
      },
    },
  })
  const join = ({ code, pin }: { code: string; pin: string }) => {
    const read = readJoinCode(code, ownHost)
    if (read.kind !== 'code') return
    const secret = pin.replaceAll(/\s/g, '') || read.pin
    void navigate({
      to: '/j/$code',
      params: { code: read.code },
      ...(secret !== undefined && { hash: new URLSearchParams({ pin: secret }).toString() }),
    })
  }
  return (
    <form noValidate onSubmit={form.onSubmit(join, focusFirstInvalid)}>
      <TextInput
        label={t('byCode.code')}
        description={t('byCode.codeHint')}
        required
        data-autofocus
        autoComplete="off"
        inputMode="numeric"
        maxLength={maxCodeCharacters}
        dir="ltr"
        mb="md"
        {...form.getInputProps('code')}
      />
      <TextInput
        label={t('byCode.pin')}
        description={t('byCode.pinHint')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={maxPinCharacters}
        dir="ltr"
        mb="md"
        {...form.getInputProps('pin')}
      />
      <Button type="submit" fullWidth>
        {t('app:join')}
      </Button>
    </form>
  )
}
