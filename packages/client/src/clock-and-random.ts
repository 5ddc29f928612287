/** From 0 to 1. The one die of the client: everything else is handed its throws. */
export const chance = (): number => Math.random()

/** The one clock of the client. */
export const now = (): Date => new Date()
