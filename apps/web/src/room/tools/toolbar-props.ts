import type { CaptionTools } from '../captions/use-captions.ts'
import type { View } from '../tiles/arrange-tiles.ts'
import type { RoomTools } from './use-room-tools.ts'

export type Panel = 'chat' | 'people' | 'captions'
export type Dialog = 'invite' | 'devices' | 'layout' | 'leave' | 'breakout'

export type ToolbarProps = {
  tools: RoomTools
  captions: CaptionTools
  panel: Panel | undefined
  unread: number
  /** The number of people who wait to be admitted. */
  waiting: number
  /** The number of others with a raised hand; 0 unless the caller is a host. */
  hands: number
  view: View
  onPanel(panel: Panel): void
  onDialog(dialog: Dialog): void
  onView(): void
  onCallWindow(): void
  onLeave(): void
}

/** Phones cannot share a screen. */
export const canShareScreen = (): boolean => 'getDisplayMedia' in (navigator.mediaDevices ?? {})
