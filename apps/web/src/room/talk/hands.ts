/** When each hand that is up was raised, by the clock of this device. */
export type Hands = ReadonlyMap<string, number>

/** A hand goes up or down. Who says again that it is up, to somebody who came late, keeps their place. */
export function changeHand(hands: Hands, personId: string, raisedAtMs: number | undefined): Hands {
  const changed = new Map(hands)
  if (raisedAtMs === undefined) changed.delete(personId)
  else if (!hands.has(personId)) changed.set(personId, raisedAtMs)
  return changed
}

/** The place of each hand among those of the people who are here, from 1; the first raised is the first to speak. */
export function handOrder(hands: Hands, here: readonly string[]): ReadonlyMap<string, number> {
  const up = here.flatMap((id) => {
    const raisedAtMs = hands.get(id)
    return raisedAtMs === undefined ? [] : [{ id, raisedAtMs }]
  })
  return new Map(
    up
      .toSorted((one, other) => one.raisedAtMs - other.raisedAtMs)
      .map(({ id }, index): [string, number] => [id, index + 1]),
  )
}
