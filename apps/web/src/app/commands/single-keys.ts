import { useLocalStorage } from '@mantine/hooks'

/** Shortcuts of one key can be turned off: speech input types them by accident (WCAG 2.2, 2.1.4). */
export const useSingleKeysSetting = () =>
  useLocalStorage({ key: 'parley-single-keys', defaultValue: true, getInitialValueInEffect: false })

export const useSingleKeys = (): boolean => useSingleKeysSetting()[0]
