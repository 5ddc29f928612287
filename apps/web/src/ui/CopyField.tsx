import { ActionIcon, Alert, Button, Stack, TextInput, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy, IconKey } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

type CopyFieldProps = {
  label: string
  value: string
  description?: string
  /** Use a monospace font, for values that are compared character by character, such as secrets. */
  monospace?: boolean
  /** Without a border, among other facts: nothing is typed here. */
  quiet?: boolean
}

/** A value to copy: a click selects it, and its button copies it. */
export function CopyField({ label, value, description, monospace = false, quiet = false }: CopyFieldProps) {
  const { t } = useTranslation()
  const { copy, copied, error } = useClipboard()
  const words = copied ? t('copied') : t('copy')
  return (
    <TextInput
      label={label}
      description={description}
      variant={quiet ? 'filled' : 'default'}
      value={value}
      error={error === null ? undefined : t('copyFailed')}
      readOnly
      {...(monospace && { styles: { input: { fontFamily: 'var(--mantine-font-family-monospace)' } } })}
      dir="ltr"
      onFocus={(event) => event.currentTarget.select()}
      rightSectionPointerEvents="all"
      rightSection={
        <Tooltip label={words}>
          <ActionIcon variant="subtle" aria-label={`${t('copy')}: ${label}`} onClick={() => copy(value)}>
            {copied ? <IconCheck size={18} aria-hidden /> : <IconCopy size={18} aria-hidden />}
          </ActionIcon>
        </Tooltip>
      }
    />
  )
}

type SecretOnceProps = { label: string; secret: string; onKept(): void }

/** A secret that is shown once, until the reader confirms having stored it. */
export function SecretOnce({ label, secret, onKept }: SecretOnceProps) {
  const { t } = useTranslation()
  return (
    // Mantine's yellow text has too little contrast on its light background.
    <Alert
      color="yellow"
      icon={<IconKey aria-hidden />}
      title={t('secret.once')}
      styles={{ title: { color: 'var(--mantine-color-text)' }, icon: { color: 'var(--mantine-color-text)' } }}
    >
      <Stack gap="sm" align="stretch">
        <CopyField label={label} value={secret} monospace />
        <Button variant="default" onClick={onKept}>
          {t('secret.done')}
        </Button>
      </Stack>
    </Alert>
  )
}
