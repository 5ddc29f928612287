import type { Room } from '@parley/client/join'
import { createContext, useContext, useEffect } from 'react'
import type { View } from './tiles/arrange-tiles.ts'
import type { Panel } from './tools/toolbar-props.ts'
import type { RoomTools } from './tools/use-room-tools.ts'

/** What the page around an embedded meeting sees of the room's page, and changes in it. */
export type RoomControls = {
  tools: RoomTools
  panel: Panel | undefined
  view: View
  onPanel(panel: Panel | undefined): void
  onView(view: View): void
}

type Embedding = { onRoom(room: Room | undefined): void; onControls(controls: RoomControls | undefined): void }

const EmbeddingContext = createContext<Embedding | undefined>(undefined)
export const EmbeddingProvider = EmbeddingContext.Provider

/** The frame of an embedded meeting; undefined in the pages of the service itself. */
export const useEmbedding = () => useContext(EmbeddingContext)

/** Tell the frame which room the person is in or asks to enter. */
export function useReportedRoom(room: Room | undefined): void {
  const embedding = useEmbedding()
  useEffect(() => {
    embedding?.onRoom(room)
    return () => embedding?.onRoom(undefined)
  }, [embedding, room])
}

/** Let the frame see and change what the room's page shows. */
export function useOfferedControls(controls: RoomControls): void {
  const embedding = useEmbedding()
  useEffect(() => embedding?.onControls(controls))
  useEffect(() => () => embedding?.onControls(undefined), [embedding])
}
