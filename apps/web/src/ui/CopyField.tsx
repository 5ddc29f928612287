import { ActionIcon, TextInput, Tooltip } from '@mantine/core'
import { useClipboard } from '@mantine/hooks'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

type CopyFieldProps = {
  label: string
  value: string
  description?: string
  /** A value that is compared letter by letter, such as a secret. */
  monospace?: boolean
}

/** A value to take along: selected by a click, copied by its button. */
export function CopyField({ label, value, description, monospace = false }: CopyFieldProps) {
  const { t } = useTranslation()
  const { copy, copied, error } = useClipboard()
  const words = copied ? t('copied') : t('copy')
  return (
    <TextInput
      label={label}
      description={description}
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
