import { useTranslation } from 'react-i18next'
import { deviceName } from './device-name.ts'

/** Describe a browser and its system from its user agent. */
export function useDeviceWords(): (userAgent: string) => string {
  const { t } = useTranslation('security')
  return (userAgent) => {
    const { browser, system } = deviceName(userAgent)
    if (browser !== undefined && system !== undefined) return t('device.both', { browser, system })
    return browser ?? system ?? t('device.unknown')
  }
}
