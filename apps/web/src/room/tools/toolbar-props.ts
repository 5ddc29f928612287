import type { View } from '../tiles/arrange-tiles.ts'
import type { RoomTools } from './use-room-tools.ts'

export type Panel = 'chat' | 'people'
export type Dialog = 'invite' | 'devices' | 'leave'

export type ToolbarProps = {
  tools: RoomTools
  panel: Panel | undefined
  unread: number
  /** How many people wait to be admitted. */
  waiting: number
  /** How many others have a hand up; 0 for everyone who is not a host. */
  hands: number
  view: View
  onPanel(panel: Panel): void
  onDialog(dialog: Dialog): void
  onView(): void
  onLeave(): void
}

/** Phones share no screen. */
export const canShareScreen = (): boolean => 'getDisplayMedia' in (navigator.mediaDevices ?? {})
