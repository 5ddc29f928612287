import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { showToast } from '../../ui/toast.ts'

/** When a connection ends, the microphone goes first: only one that stays inside without it was muted. */
const surelyMs = 600

/** Says so when the microphone goes off and it was not oneself. Tell what answers each time one switches it oneself. */
export function useMutedByHost(microphoneOn: boolean, inside: boolean): (on: boolean) => void {
  const { t } = useTranslation('room')
  const wanted = useRef(microphoneOn)
  useEffect(() => {
    if (!inside) return
    if (microphoneOn) wanted.current = true
    if (microphoneOn || !wanted.current) return
    const timer = setTimeout(() => {
      wanted.current = false
      showToast({ message: t('tools.mutedByHost'), about: 'microphone' })
    }, surelyMs)
    return () => clearTimeout(timer)
  }, [microphoneOn, inside, t])
  return (on) => {
    wanted.current = on
  }
}
