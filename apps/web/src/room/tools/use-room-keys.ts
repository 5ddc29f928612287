import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { type Command, useCommands } from '../../ui/keyboard/commands.ts'
import { allowsShortcuts } from '../../ui/keyboard/shortcut-scope.ts'
import type { CaptionTools } from '../captions/use-captions.ts'
import { canShareScreen, type Dialog, type Panel } from './toolbar-props.ts'
import type { RoomTools } from './use-room-tools.ts'

type KeyActions = {
  tools: RoomTools
  captions: CaptionTools
  onPanel(panel: Panel): void
  onDialog(dialog: Dialog): void
  onView(): void
  onLeave(): void
}

/** The shortcuts of the room, which are also in the list of shortcuts (?) and in the search. */
export function useRoomKeys(actions: KeyActions): void {
  const { t } = useTranslation(['room', 'call'])
  // The list is stable; the handlers call the functions of the latest render.
  const latest = useRef(actions)
  latest.current = actions
  const commands = useMemo<readonly Command[]>(
    () => [
      { id: 'room-mute', label: t('call:keys.mute'), keys: 'M', run: () => latest.current.tools.toggleMicrophone() },
      { id: 'room-talk', label: t('call:keys.talk'), keys: 'space', held: true, run: () => {} },
      { id: 'room-camera', label: t('call:keys.camera'), keys: 'V', run: () => latest.current.tools.toggleCamera() },
      ...(canShareScreen()
        ? [{ id: 'room-share', label: t('call:keys.share'), keys: 'S', run: () => latest.current.tools.toggleScreen() }]
        : []),
      { id: 'room-hand', label: t('call:keys.hand'), keys: 'H', run: () => latest.current.tools.toggleHand() },
      { id: 'room-chat', label: t('call:keys.chat'), keys: 'C', run: () => latest.current.onPanel('chat') },
      { id: 'room-captions', label: t('call:keys.captions'), keys: 'T', run: () => latest.current.captions.toggle() },
      {
        id: 'room-type',
        label: t('call:captions.type'),
        keys: 'W',
        run: () => latest.current.captions.setTyping(true),
      },
      { id: 'room-people', label: t('call:keys.people'), keys: 'P', run: () => latest.current.onPanel('people') },
      { id: 'room-invite', label: t('call:invite.title'), keys: 'I', run: () => latest.current.onDialog('invite') },
      { id: 'room-devices', label: t('call:keys.devices'), keys: 'D', run: () => latest.current.onDialog('devices') },
      { id: 'room-view', label: t('call:keys.view'), keys: 'G', run: () => latest.current.onView() },
      ...(canFillScreen()
        ? [{ id: 'room-full-screen', label: t('call:keys.fullScreen'), keys: 'F', run: toggleFullScreen }]
        : []),
      { id: 'room-leave', label: t('call:keys.leave'), run: () => latest.current.onLeave() },
    ],
    [t],
  )
  useCommands(commands)
}

/** Elements that the space bar activates when they have the focus. */
const takesSpace = 'button, a, video, summary, [role]'

/** Keys after which a button has the focus by the keyboard. */
const movesFocus = /^(Tab|Enter|Escape|Arrow\w+|Home|End|Page\w+)$/

/** Unmute while the space bar is held, unless already unmuted. */
export function usePushToTalk({ microphoneOn, hardMuted, holdMicrophone }: RoomTools): void {
  const latest = useRef({ microphoneOn, hardMuted, holdMicrophone })
  latest.current = { microphoneOn, hardMuted, holdMicrophone }
  useEffect(() => {
    let talking = false
    // The space bar presses a button that was reached by keys, and not again the one that was clicked last.
    let isFocusedByPointer = false
    const notePointer = () => {
      isFocusedByPointer = true
    }
    const noteKey = ({ key }: KeyboardEvent) => {
      if (movesFocus.test(key)) isFocusedByPointer = false
    }
    const begin = (event: KeyboardEvent) => {
      const { target, code, repeat, ctrlKey, metaKey, altKey } = event
      if (code !== 'Space' || ctrlKey || metaKey || altKey) return
      const presses = !isFocusedByPointer && target instanceof Element && target.closest(takesSpace) !== null
      if (!allowsShortcuts(target) || presses) return
      event.preventDefault()
      if (repeat || talking || latest.current.microphoneOn || latest.current.hardMuted) return
      talking = true
      latest.current.holdMicrophone(true)
    }
    const end = () => {
      if (!talking) return
      talking = false
      latest.current.holdMicrophone(false)
    }
    const endByKey = (event: KeyboardEvent) => {
      if (event.code !== 'Space' || !talking) return
      // Firefox presses a focused button when the key is released.
      event.preventDefault()
      end()
    }
    document.addEventListener('pointerdown', notePointer, true)
    document.addEventListener('keydown', noteKey, true)
    document.addEventListener('keydown', begin)
    document.addEventListener('keyup', endByKey)
    // A key released in another window fires no keyup here.
    window.addEventListener('blur', end)
    return () => {
      end()
      document.removeEventListener('pointerdown', notePointer, true)
      document.removeEventListener('keydown', noteKey, true)
      document.removeEventListener('keydown', begin)
      document.removeEventListener('keyup', endByKey)
      window.removeEventListener('blur', end)
    }
  }, [])
}

/** Absent on iPhones, where only a video can be full screen. */
export const canFillScreen = (): boolean => document.fullscreenEnabled === true

const subscribe = (changed: () => void) => {
  document.addEventListener('fullscreenchange', changed)
  return () => document.removeEventListener('fullscreenchange', changed)
}

export const useIsFullScreen = (): boolean => useSyncExternalStore(subscribe, () => document.fullscreenElement !== null)

/** The whole page, so that dialogs and menus are visible as well. A browser that refuses changes nothing. */
export function toggleFullScreen(): void {
  const done =
    document.fullscreenElement === null ? document.documentElement.requestFullscreen() : document.exitFullscreen()
  void done.catch(() => {})
}
