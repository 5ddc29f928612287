import type { Room, TrackEffect } from '@parley/client/join'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { showToast } from '../../ui/toast.ts'
import { keepChoice, keptChoice } from '../lobby/device-choice.ts'
import type { BackgroundName } from './background.ts'
import type { EffectEnd } from './background-messages.ts'
import { backgroundEffect, noiseEffect } from './effects.ts'

/** Make the effects of a call; each is null where nothing is changed. */
export type RoomEffects = {
  background(name: BackgroundName): TrackEffect | null
  noise(on: boolean): TrackEffect | null
}

/**
 * The effects of a room. When the background ends by itself, the camera is switched off: others never see what was
 * hidden until the person switches it on again. Noise reduction ends without a harm.
 */
export function useRoomEffects(room: Room | undefined): RoomEffects {
  const { t } = useTranslation('room')
  const current = useRef({ room, t })
  current.current = { room, t }
  return useMemo(() => {
    const end = async (device: 'camera' | 'microphone', text: (t: typeof current.current.t) => string) => {
      const { room: visited, t: words } = current.current
      const kept = keptChoice(localStorage)
      keepChoice(localStorage, device === 'camera' ? { ...kept, background: 'none' } : { ...kept, reducesNoise: false })
      showToast({ kind: 'problem', about: device, message: text(words) })
      if (device === 'camera') await visited?.setCamera(false).catch(() => {})
      await visited?.setEffect(device, null).catch(() => {})
    }
    return {
      background: (name) =>
        backgroundEffect(name, (reason: EffectEnd) => void end('camera', (words) => words(`effects.ended.${reason}`))),
      noise: (on) =>
        noiseEffect(
          on,
          (reason: EffectEnd) => void end('microphone', (words) => words(`effects.noiseEnded.${reason}`)),
        ),
    }
  }, [])
}
