import { Alert, Button, Stack } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { CopyField } from './CopyField.tsx'

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
