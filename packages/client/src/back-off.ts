const firstMs = 500
const defaultMaxMs = 15_000

/**
 * The delay before the next attempt after consecutive failures: exponential back-off with jitter. Half a second,
 * doubled each time, at most `maxMs`; of that between half and all, so that clients that lost the service together do not
 * reconnect together.
 * @param random from 0 to 1
 */
export const backOffMs = (failures: number, random: number, maxMs = defaultMaxMs): number =>
  Math.min(maxMs, firstMs * 2 ** Math.max(0, failures - 1)) * (0.5 + random / 2)
