import { PasswordInput, type PasswordInputProps } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/**
 * A password, with a button that shows it: reached by Tab and named, unlike Mantine's own, which also tells nobody but the
 * eye that it is wrong.
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
