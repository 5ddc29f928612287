import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/**
 * A password field with a button that reveals it. The button is reachable by Tab and labelled, and errors are
 * announced, unlike in Mantine's own field.
 */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation()
  return (
    <PasswordInput
      {...props}
      aria-invalid={props.error ? true : undefined}
      visibilityToggleButtonProps={{ 'aria-label': t('showPassword'), 'aria-hidden': false, tabIndex: 0 }}
    />
  )
}
