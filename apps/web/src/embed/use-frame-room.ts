import type { EmbedCommand, EmbedEvent } from '@parley/client/embed'
import type { Room, RoomSnapshot } from '@parley/client/join'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { RoomControls } from '../room/embedding.ts'
import { showToast } from '../ui/toast.ts'
import type { FrameChannel } from './frame-channel.ts'
import { eventsBetween } from './frame-messages.ts'

/** Connect the room's page with the page around the frame. @returns what the room reports to */
export function useFrameRoom(channel: FrameChannel) {
  const { t } = useTranslation('embed')
  const [room, setRoom] = useState<Room>()
  const controls = useRef<RoomControls>(undefined)
  const reported = useRef('')
  const embedding = useMemo(
    () => ({
      onRoom: setRoom,
      onControls(offered: RoomControls | undefined) {
        controls.current = offered
        if (offered === undefined) return
        const state = stateOf(offered)
        const text = JSON.stringify(state)
        if (text !== reported.current) channel.send(state)
        reported.current = text
      },
    }),
    [channel],
  )

  useEffect(() => {
    if (room === undefined) return
    let before: RoomSnapshot | undefined
    const report = () => {
      const after = room.snapshot()
      for (const event of eventsBetween(before, after)) channel.send(event)
      before = after
    }
    report()
    const unsubscribe = room.subscribe(report)
    return () => {
      // The page may close the room before it has left.
      report()
      unsubscribe()
    }
  }, [room, channel])

  const perform = useRef((_: EmbedCommand) => {})
  perform.current = (command) => {
    if (command.type === 'leave') return void room?.leave()
    if (controls.current === undefined) return
    const { tools, onPanel, onView } = controls.current
    const turnedOn = (device: 'microphone' | 'camera') => showToast({ message: t(`turnedOn.${device}`), about: device })
    switch (command.type) {
      case 'microphone':
        if (command.on === tools.microphoneOn) return
        tools.setMicrophone(command.on)
        // The person has not clicked here, and is to know that the others hear and see.
        if (command.on) turnedOn('microphone')
        return
      case 'camera':
        if (command.on === tools.cameraOn) return
        tools.toggleCamera()
        if (command.on) turnedOn('camera')
        return
      case 'screen':
        if (command.on !== tools.sharing) tools.toggleScreen()
        return
      case 'hand':
        if (command.on !== tools.handUp) tools.toggleHand()
        return
      case 'panel':
        return onPanel(command.panel ?? undefined)
      case 'layout':
        return onView(command.layout)
    }
  }
  useEffect(() => channel.listen((command) => perform.current(command)), [channel])
  return embedding
}

const stateOf = ({ tools, panel, view }: RoomControls): EmbedEvent => ({
  type: 'state',
  microphone: tools.microphoneOn,
  camera: tools.cameraOn,
  screen: tools.sharing,
  hand: tools.handUp,
  panel: panel ?? null,
  layout: view,
})
