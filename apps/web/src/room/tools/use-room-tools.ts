import type { RoomSnapshot, StoppedByHost } from '@parley/client/join'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { showToast } from '../../ui/toast.ts'
import { type DeviceState, keepDeviceState } from '../lobby/device-state.ts'
import { useSnapshot, useVisited } from '../room-context.ts'
import { useAction } from '../use-action.ts'

export type RoomTools = {
  microphoneOn: boolean
  cameraOn: boolean
  sharing: boolean
  handUp: boolean
  hardMuted: boolean
  /** How often the person has tried to speak while hard-muted; the banner says why again. */
  triedToSpeak: number
  allowed: RoomSnapshot['allowed']
  setMicrophone(on: boolean): void
  /** The same while a key is held: push-to-talk does not change the stored state of the microphone. */
  holdMicrophone(on: boolean): void
  toggleMicrophone(): void
  toggleCamera(): void
  toggleScreen(): void
  toggleHand(): void
}

/** The caller's own actions and their state, for buttons and shortcuts. */
export function useRoomTools(): RoomTools {
  const { room, code } = useVisited()
  const { me, hardMuted, allowed } = useSnapshot()
  const runAction = useAction()
  const busy = useRef(new Set<string>())
  const [, redraw] = useState(0)
  const [triedToSpeak, setTriedToSpeak] = useState(0)
  const microphoneOn = me !== null && !me.muted
  const cameraOn = me !== null && me.camera !== null
  const sharing = me !== null && me.screen !== null
  const handUp = me !== null && me.handPlace !== null
  const keep = (changed: Partial<DeviceState>) => keepDeviceState(sessionStorage, code, changed)
  useStoppedByHost((device) => {
    if (device !== 'screen') keep({ [device]: false })
  })
  useEffect(() => {
    // What a host takes away stays off when the host gives it back.
    if (hardMuted) keepDeviceState(sessionStorage, code, { microphone: false })
    if (!allowed.camera) keepDeviceState(sessionStorage, code, { camera: false })
  }, [hardMuted, allowed.camera, code])

  /** A held key must not queue up toggles. */
  const once = (what: string, done: () => Promise<void>) => {
    if (busy.current.has(what)) return
    busy.current.add(what)
    void runAction(done, what).finally(() => {
      busy.current.delete(what)
      redraw((count) => count + 1)
    })
  }
  const holdMicrophone = (on: boolean) => {
    if (on && hardMuted) return setTriedToSpeak((count) => count + 1)
    void runAction(() => room.setMicrophone(on), 'microphone')
  }
  const setMicrophone = (on: boolean) => {
    if (!on || !hardMuted) keep({ microphone: on })
    holdMicrophone(on)
  }
  const toggleCamera = () => {
    if (cameraOn || allowed.camera) keep({ camera: !cameraOn })
    once('camera', () => room.setCamera(!cameraOn))
  }
  return {
    microphoneOn,
    cameraOn,
    sharing,
    handUp,
    hardMuted,
    triedToSpeak,
    allowed,
    setMicrophone,
    holdMicrophone,
    toggleCamera,
    toggleMicrophone: () => setMicrophone(!microphoneOn),
    toggleScreen: () => once('screen', () => room.shareScreen(!sharing)),
    toggleHand: () => once('hand', () => room.raiseHand(!handUp)),
  }
}

/** Report each time that a host switches a device off. */
function useStoppedByHost(onStopped: (device: StoppedByHost['device']) => void): void {
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
