import type { Entering, RoomState } from '@parley/contract'

/** States in which the caller enters or waits; the room's part of the page shows them. */
const openStates = ['admitted', 'waiting', 'waiting_for_host'] as const satisfies readonly RoomState[]

type OpenState = (typeof openStates)[number]
/** States in which the caller is not admitted. */
export type ClosedState = Exclude<RoomState, OpenState>

export const isOpen = (state: RoomState): state is OpenState => openStates.some((open) => open === state)

export const isClosed = (entering: Entering): entering is Entering & { state: ClosedState } => !isOpen(entering.state)
