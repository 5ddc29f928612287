import { Button, Stack, Text } from '@mantine/core'
import type { Passkey } from '@parley/contract'
import { browserSupportsWebAuthn } from '@simplewebauthn/browser'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ProblemAlert } from '../session/ProblemAlert.tsx'
import { RowSkeletons } from '../ui/PageSkeleton.tsx'
import { Rows } from '../ui/Rows.tsx'
import { Section } from '../ui/Section.tsx'
import { AddPasskeyDialog } from './AddPasskeyDialog.tsx'
import { PasskeyRow } from './PasskeyRow.tsx'
import { RemovePasskeyDialog } from './RemovePasskeyDialog.tsx'
import { RenamePasskeyDialog } from './RenamePasskeyDialog.tsx'
import { passkeysQuery } from './security-queries.ts'

type Doing = { action: 'add' } | { action: 'rename' | 'remove'; passkey: Passkey } | undefined

/** Passkeys on phones, computers and security keys, which sign in without a password. */
export function PasskeysSection() {
  const { t } = useTranslation('security')
  const { data, error } = useQuery(passkeysQuery)
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  const supported = browserSupportsWebAuthn()
  return (
    <Section
      title={t('passkeys.title')}
      actions={
        supported && (
          <Button variant="default" size="sm" onClick={() => setDoing({ action: 'add' })}>
            {t('passkeys.add')}
          </Button>
        )
      }
    >
      <Text c="dimmed" mb="sm">
        {t('passkeys.explanation')}
      </Text>
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
    </Section>
  )
}
