import type { StoppedByHost } from '@parley/client/join'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { showToast } from '../../ui/toast.ts'
import { useSnapshot } from '../room-context.ts'

/** Report each time that a host switches a device off. */
export function useStoppedByHost(onStopped: (device: StoppedByHost['device']) => void): void {
  const { t } = useTranslation('room')
  const { stoppedByHost } = useSnapshot()
  const last = useRef(stoppedByHost)
  const report = useRef(onStopped)
  report.current = onStopped
  useEffect(() => {
    if (stoppedByHost === last.current) return
    last.current = stoppedByHost
    if (stoppedByHost === null) return
    const { device } = stoppedByHost
    report.current(device)
    showToast({ message: t(`tools.stoppedByHost.${device}`), about: device })
  }, [stoppedByHost, t])
}
