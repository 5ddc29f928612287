import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { showToast } from '../../ui/toast.ts'

/** Says so when the microphone goes off and it was not oneself. Tell what answers each time one switches it oneself. */
export function useMutedByHost(microphoneOn: boolean, inside: boolean): (on: boolean) => void {
  const { t } = useTranslation('room')
  const wanted = useRef(microphoneOn)
  const was = useRef(microphoneOn)
  useEffect(() => {
    if (!inside) return
    if (was.current && !microphoneOn && wanted.current)
      showToast({ message: t('tools.mutedByHost'), about: 'microphone' })
    if (was.current !== microphoneOn) wanted.current = microphoneOn
    was.current = microphoneOn
  }, [microphoneOn, inside, t])
  return (on) => {
    wanted.current = on
  }
}
