/**
 * Put people in the places that they had before, so that no tile moves; new ones follow. Those who are missing but are
 * expected back keep theirs.
 */
export function keepPlaces<Person extends { id: string }>(
  before: readonly Person[],
  current: readonly Person[],
  expected: ReadonlySet<string>,
): Person[] {
  const present = new Map(current.map((person) => [person.id, person]))
  const known = new Set(before.map(({ id }) => id))
  return [
    ...before.flatMap((person) => present.get(person.id) ?? (expected.has(person.id) ? person : [])),
    ...current.filter(({ id }) => !known.has(id)),
  ]
}
