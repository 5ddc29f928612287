import { useEffect, useRef } from 'react'
import { allowsShortcuts } from '../../ui/keyboard/shortcut-scope.ts'
import type { RoomTools } from './use-room-tools.ts'

/** Elements that the space bar activates when they have the focus. */
const takesSpace = 'button, a, video, summary, [role]'

/** Unmute while the space bar is held, unless already unmuted. */
export function usePushToTalk({ microphoneOn, hardMuted, holdMicrophone }: RoomTools): void {
  const latest = useRef({ microphoneOn, hardMuted, holdMicrophone })
  latest.current = { microphoneOn, hardMuted, holdMicrophone }
  useEffect(() => {
    let talking = false
    const begin = (event: KeyboardEvent) => {
      const { target, code, repeat, ctrlKey, metaKey, altKey } = event
      if (code !== 'Space' || ctrlKey || metaKey || altKey) return
      if (!allowsShortcuts(target) || (target instanceof Element && target.closest(takesSpace) !== null)) return
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
    const endByKey = ({ code }: KeyboardEvent) => code === 'Space' && end()
    document.addEventListener('keydown', begin)
    document.addEventListener('keyup', endByKey)
    // A key released in another window fires no keyup here.
    window.addEventListener('blur', end)
    return () => {
      end()
      document.removeEventListener('keydown', begin)
      document.removeEventListener('keyup', endByKey)
      window.removeEventListener('blur', end)
    }
  }, [])
}
