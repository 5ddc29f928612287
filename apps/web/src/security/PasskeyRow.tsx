import { Badge, Button } from '@mantine/core'
import type { Passkey } from '@parley/contract'
import { IconFingerprint } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useDateFormat } from '../ui/hooks/use-date-format.ts'
import { Row } from '../ui/Rows.tsx'

type PasskeyRowProps = { passkey: Passkey; onRename(): void; onRemove(): void }

export function PasskeyRow({ passkey, onRename, onRemove }: PasskeyRowProps) {
  const { t } = useTranslation(['security', 'connected-apps', 'app'])
  const { day, distance } = useDateFormat()
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
        t('added', { day: day(createdOn) }),
        lastUsedOn === null ? t('app:neverUsed') : t('connected-apps:lastUsed', { distance: distance(lastUsedOn) }),
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
