import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { showToast } from '../../ui/toast.ts'
import type { DeviceRole } from './device-choice.ts'
import { compareDevices } from './device-news.ts'
import { useDevices } from './use-devices.ts'
import { useSwitchDevice } from './use-switch-device.ts'

/** Tell in a call which devices are plugged in and out, and offer to use a new one. */
export function useDeviceNews(): void {
  const { t } = useTranslation('room')
  const devices = useDevices('inside')
  const before = useRef(devices)
  const switchDevice = useSwitchDevice()
  const latest = useRef(switchDevice)
  latest.current = switchDevice
  useEffect(() => {
    const { added, removed } = compareDevices(before.current, devices)
    before.current = devices
    for (const name of removed) showToast({ message: t('devices.removed', { name }), about: `device ${name}` })
    for (const { label: name, ids } of added) {
      const use = async () => {
        for (const [role, id] of Object.entries(ids)) await latest.current(role as DeviceRole, id)
      }
      showToast({
        message: t('devices.added', { name }),
        about: `device ${name}`,
        action: { label: t('devices.use'), run: () => void use() },
      })
    }
  }, [devices, t])
}
