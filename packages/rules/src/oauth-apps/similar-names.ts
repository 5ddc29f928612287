/**
 * The names that someone who wrote `text` may have meant, best first. Case does not count, and of a zone id its city
 * is compared too. A name is near when one contains the other or few letters differ.
 */
export function nearNames(text: string, names: readonly string[], limit: number): readonly string[] {
  const wanted = plain(text)
  const near = [...new Set(names)]
    .map((name) => ({ name, distance: distanceTo(wanted, name) }))
    .filter(({ distance }) => distance <= lettersThatMayDiffer(wanted))
    .sort((one, other) => one.distance - other.distance) // stable: equals stay in the order they were given
  return near
    .filter(({ distance }) => distance <= (near[0]?.distance ?? 0) + 1) // beside Berlin, Dublin is no longer near
    .slice(0, limit)
    .map(({ name }) => name)
}

const plain = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, '_')

const lettersThatMayDiffer = (wanted: string) => Math.floor(wanted.length / 3)

function distanceTo(wanted: string, name: string): number {
  const whole = plain(name)
  const city = whole.slice(whole.lastIndexOf('/') + 1)
  const contained = wanted.length >= 3 && (whole.includes(wanted) || (city.length >= 4 && wanted.includes(city)))
  return Math.min(editDistance(wanted, whole), editDistance(wanted, city), contained ? 0.5 : Number.POSITIVE_INFINITY)
}

/** How many letters must be put in, taken out or changed to make one of the other (Levenshtein). */
function editDistance(one: string, other: string): number {
  // The difference in length is the least it can be. Beyond the limit the exact number is not worth the work.
  if (Math.abs(one.length - other.length) > lettersThatMayDiffer(one)) return Number.POSITIVE_INFINITY
  let row = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (const letter of one) {
    const next = [(row[0] ?? 0) + 1]
    for (let column = 1; column <= other.length; column++) {
      const changed = (row[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[other.length] ?? 0
}
