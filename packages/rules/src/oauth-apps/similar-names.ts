/**
 * Find the names that a person who wrote `text` may have meant, best first. Case is ignored, and for a zone id its city
 * is compared too. A name is similar when one contains the other or few letters differ.
 */
export function findSimilarNames(text: string, names: readonly string[], limit: number): readonly string[] {
  const wanted = plain(text)
  const near = [...new Set(names)]
    .map((name) => ({ name, distance: distanceTo(wanted, name) }))
    .filter(({ distance }) => distance <= maxDistance(wanted))
    .sort((a, b) => a.distance - b.distance) // stable: equal distances keep the given order
  return near
    .filter(({ distance }) => distance <= (near[0]?.distance ?? 0) + 1) // Berlin as a match excludes Dublin
    .slice(0, limit)
    .map(({ name }) => name)
}

const plain = (text: string) => text.toLowerCase().replace(/[\s_-]+/g, '_')

const maxDistance = (wanted: string) => Math.floor(wanted.length / 3)

function distanceTo(wanted: string, name: string): number {
  const whole = plain(name)
  const city = whole.slice(whole.lastIndexOf('/') + 1)
  const contained = wanted.length >= 3 && (whole.includes(wanted) || (city.length >= 4 && wanted.includes(city)))
  return Math.min(editDistance(wanted, whole), editDistance(wanted, city), contained ? 0.5 : Number.POSITIVE_INFINITY)
}

/** The Levenshtein distance: how many letters must be inserted, deleted or replaced. */
function editDistance(first: string, second: string): number {
  // The difference in length is a lower bound. Beyond the limit the exact distance is not needed.
  if (Math.abs(first.length - second.length) > maxDistance(first)) return Number.POSITIVE_INFINITY
  let row = Array.from({ length: second.length + 1 }, (_, column) => column)
  for (const letter of first) {
    const next = [(row[0] ?? 0) + 1]
    for (let column = 1; column <= second.length; column++) {
      const changed = (row[column - 1] ?? 0) + (letter === second[column - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[second.length] ?? 0
}
