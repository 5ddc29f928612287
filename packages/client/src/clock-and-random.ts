/** A random number from 0 to 1. The client's only source of randomness; other modules receive numbers as parameters. */
export const random = (): number => Math.random()

/** The client's only clock. */
export const now = (): Date => new Date()
