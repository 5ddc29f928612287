import { Button, Text, TextInput } from '@mantine/core'
import type { Entering } from '@parley/contract'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

/** The contract's limit. */
export const maxNameLength = 100

type NameFieldProps = {
  entering: Entering
  /** The name that others see of an account at first; undefined for a guest, who enters one. */
  accountName: string | undefined
  name: string
  isMissing: boolean
  onChange(name: string): void
}

/** The name with which the person joins. Accounts have one, and may change it for this call. */
export function NameField({ entering: { role, admissionId }, accountName, name, isMissing, onChange }: NameFieldProps) {
  const { t } = useTranslation(['room', 'violations'])
  const [changes, setChanges] = useState(false)
  if (accountName !== undefined && !changes) {
    return (
      <div>
        <OwnRole role={role} name={accountName} />
        {admissionId !== undefined && (
          <Button variant="subtle" size="sm" px={0} onClick={() => setChanges(true)}>
            {t('rename.open')}
          </Button>
        )}
      </div>
    )
  }
  return (
    <>
      <OwnRole role={role} name={undefined} />
      <TextInput
        label={t('lobby.name')}
        description={t(accountName === undefined ? 'lobby.nameHint' : 'rename.hintAccount')}
        required
        autoFocus={changes}
        maxLength={maxNameLength}
        autoComplete="name"
        value={name}
        error={isMissing ? t('violations:required') : undefined}
        onChange={({ currentTarget: { value } }) => onChange(value)}
      />
    </>
  )
}

/** The role and the account's name with which the person joins, in one sentence. */
function OwnRole({ role, name }: { role: Entering['role']; name: string | undefined }) {
  const { t } = useTranslation('room')
  if (role === 'host' || role === 'cohost')
    return <Text>{name === undefined ? t(`lobby.as.${role}`) : t(`lobby.asNamed.${role}`, { name })}</Text>
  return name === undefined ? null : <Text>{t('lobby.joinAs', { name })}</Text>
}
