import { useLocalStorage } from '@mantine/hooks'

/** Single-key shortcuts can be turned off, because speech input types them by accident (WCAG 2.2, 2.1.4). */
export const useSingleKeysSetting = () =>
  useLocalStorage({ key: 'parley-single-keys', defaultValue: true, getInitialValueInEffect: false })

export const useSingleKeys = (): boolean => useSingleKeysSetting()[0]
