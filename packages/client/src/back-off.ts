const firstMs = 500
const maxMs = 15_000

/**
 * How long to wait before the next try after so many failures in a row: half a second, doubled each time, at most 15 s,
 * and of that between half and all, so that those who lost the service together do not come back together.
 * @param chance from 0 to 1
 */
export const backOffMs = (failures: number, chance: number): number =>
  Math.min(maxMs, firstMs * 2 ** Math.max(0, failures - 1)) * (0.5 + chance / 2)
