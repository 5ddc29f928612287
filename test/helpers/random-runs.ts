/**
 * How many times as many random cases are tried as in `npm test`, with new seeds. CI sets it every night
 * (`.ci/nightly`); `npm test` tries the same few cases each time, because it has little time.
 */
const times = Number(process.env.RANDOM_TIMES ?? 1)
const seedOfNpmTest = 20_261_121

/** Parameters of fast-check: so many runs in `npm test`. */
export const randomRuns = (numRuns: number) =>
  times === 1 ? { numRuns, seed: seedOfNpmTest } : { numRuns: numRuns * times }

/** A number of cases for a generator of our own, and the seed of the first. */
export const randomCases = (count: number) => ({
  cases: count * times,
  seed: times === 1 ? seedOfNpmTest : Math.floor(Math.random() * 1_000_000),
})
