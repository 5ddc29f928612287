import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { type Command, useCommands } from '../../ui/keyboard/commands.ts'
import { canShareScreen, type Dialog, type Panel } from './toolbar-props.ts'
import { canFillScreen, toggleFullScreen } from './use-full-screen.ts'
import type { RoomTools } from './use-room-tools.ts'

type KeyActions = {
  tools: RoomTools
  onPanel(panel: Panel): void
  onDialog(dialog: Dialog): void
  onView(): void
  onLeave(): void
}

/** The shortcuts of the room, which are also in the list of shortcuts (?) and in the palette. */
export function useRoomKeys(actions: KeyActions): void {
  const { t } = useTranslation('room')
  // The list is stable; the handlers call the functions of the latest render.
  const latest = useRef(actions)
  latest.current = actions
  const commands = useMemo<readonly Command[]>(
    () => [
      { id: 'room-mute', label: t('keys.mute'), keys: 'M', run: () => latest.current.tools.toggleMicrophone() },
      { id: 'room-talk', label: t('keys.talk'), keys: 'space', held: true, run: () => {} },
      { id: 'room-camera', label: t('keys.camera'), keys: 'V', run: () => latest.current.tools.toggleCamera() },
      ...(canShareScreen()
        ? [{ id: 'room-share', label: t('keys.share'), keys: 'S', run: () => latest.current.tools.toggleScreen() }]
        : []),
      { id: 'room-hand', label: t('keys.hand'), keys: 'H', run: () => latest.current.tools.toggleHand() },
      { id: 'room-chat', label: t('keys.chat'), keys: 'C', run: () => latest.current.onPanel('chat') },
      { id: 'room-people', label: t('keys.people'), keys: 'P', run: () => latest.current.onPanel('people') },
      { id: 'room-invite', label: t('invite.title'), keys: 'I', run: () => latest.current.onDialog('invite') },
      { id: 'room-devices', label: t('keys.devices'), keys: 'D', run: () => latest.current.onDialog('devices') },
      { id: 'room-view', label: t('keys.view'), keys: 'G', run: () => latest.current.onView() },
      ...(canFillScreen()
        ? [{ id: 'room-full-screen', label: t('keys.fullScreen'), keys: 'F', run: toggleFullScreen }]
        : []),
      { id: 'room-leave', label: t('keys.leave'), run: () => latest.current.onLeave() },
    ],
    [t],
  )
  useCommands(commands)
}
