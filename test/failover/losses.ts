import type { ParleyDatabase } from './clients.ts'
import type { Recorded } from './load.ts'

/** Compare acknowledged meetings with the database: find those that are missing, outdated, or created twice. */
export async function findLosses(
  database: ParleyDatabase,
  { meetings }: Recorded,
): Promise<{ lost: string[]; twice: string[] }> {
  const topics = [...meetings.keys()]
  const rows = await database.query<{ topic: string; description: string; count: number }>(
    `select topic, max(description) as description, count(*)::int as count from meeting where topic = any ($1) group by topic`,
    [topics],
  )
  const kept = new Map(rows.map((row) => [row.topic, row]))
  return {
    lost: topics.filter((topic) => {
      const row = kept.get(topic)
      return row === undefined || (meetings.get(topic)?.isUpdated === true && row.description !== 'updated')
    }),
    twice: rows.filter(({ count }) => count > 1).map(({ topic }) => topic),
  }
}
