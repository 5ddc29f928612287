/** Create a random source from a seed (Park and Miller, 1988), so that a run can be repeated. */
export function createRandomSource(seed: number) {
  let state = (Math.trunc(seed) % 2_147_483_646) + 1
  const next = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  // The first numbers of adjacent seeds are similar.
  for (let count = 0; count < 5; count++) next()
  const below = (bound: number) => Math.floor(next() * bound)
  return {
    below,
    between: (min: number, max: number) => min + below(max - min + 1),
    happens: (probability: number) => next() < probability,
    one<T>(items: readonly T[]): T {
      const item = items[below(items.length)]
      if (item === undefined) throw new RangeError('There is nothing to choose from')
      return item
    },
  }
}

export type RandomSource = ReturnType<typeof createRandomSource>
