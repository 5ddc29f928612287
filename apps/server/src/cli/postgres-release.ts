/** The private PostgreSQL that this version of Parley installs; a test compares it with the packages. */
export const installedPostgres = { version: '18.4', releasedOn: '2026-05-14' }

const february = 1
const thursday = 4

/** The days of planned minor releases: the second Thursday of February, May, August and November. */
function plannedReleases(year: number): string[] {
  return [0, 3, 6, 9].map((months) => {
    const first = new Date(Date.UTC(year, february + months, 1)).getUTCDay()
    const day = 1 + ((thursday - first + 7) % 7) + 7
    return new Date(Date.UTC(year, february + months, day)).toISOString().slice(0, 10)
  })
}

/**
 * List the planned release days since the installed version, up to today. PostgreSQL also releases on other days and
 * may skip one: this follows its calendar without any network request.
 */
export function releasesSince(releasedOn: string, now: Date): string[] {
  const today = now.toISOString().slice(0, 10)
  const years = []
  for (let year = Number(releasedOn.slice(0, 4)); year <= now.getUTCFullYear(); year++) years.push(year)
  return years.flatMap(plannedReleases).filter((day) => day > releasedOn && day <= today)
}
