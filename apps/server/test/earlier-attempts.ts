import type { LimitName } from '../src/access/attempt-limits.ts'
import type { TestApp } from './start-app.ts'

/** Instances that share a database count attempts in rows. */
export const countsInRows = { DATABASE_URL: 'postgres://shared.test/parley', SECRET_KEY: '07'.repeat(32) }

/** Count attempts as if they had been made a moment ago, where a test would have to make hundreds (`countsInRows`). */
export async function countEarlierAttempts(
  { encryption, pool }: TestApp,
  limit: LimitName,
  key: string,
  points: number,
): Promise<void> {
  const counter = encryption.mac('attempt limits', key).toString('base64url')
  await pool.query('insert into attempt_count (key, points, expire) values ($1, $2, $3)', [
    `${limit}:${counter}`,
    points,
    Date.now() + 60_000,
  ])
}
