import { sql } from 'kysely'
import type { Pool } from 'pg'
import { Gauge } from 'prom-client'
import { defineStatement } from '../platform/database/define-statement.ts'
import type { MediaEngine } from '../rooms/engine/media-engine.ts'
import type { Metrics } from './create-metrics.ts'

const peopleStatement = defineStatement({
  name: 'count-people-in-rooms',
  parameters: {},
  columns: { rooms: 'integer', participants: 'integer', waiting: 'integer' },
  text: () => sql`select count(distinct meeting_id) filter (where entered_at is not null and left_at is null)::int as rooms,
    count(*) filter (where entered_at is not null and left_at is null)::int as participants,
    count(*) filter (where state in ('waiting_for_host', 'waiting') and seen_at > now() - interval '20 seconds')::int as waiting
  from admission
  where (entered_at is not null and left_at is null) or state in ('waiting_for_host', 'waiting')`,
})

const states = ['reachable', 'out of reach', 'none'] as const

/** Rooms and people, for all instances alike, and whether this one reaches the media engine. */
export function observeRooms({ registry, beforeScrape }: Metrics, pool: Pool, engine: MediaEngine | undefined) {
  const registers = [registry]
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers })
  const rooms = gauge('parley_rooms', 'Rooms in which somebody is')
  const participants = gauge('parley_participants', 'People in rooms')
  const waiting = gauge('parley_waiting', 'People who wait to be let into a room')
  const engines = new Gauge({
    name: 'parley_media_engine',
    help: '1 for the state of the media engine as this instance sees it (reachable, out_of_reach, none: not needed yet)',
    labelNames: ['state'],
    registers,
  })
  beforeScrape(async () => {
    const [people] = await peopleStatement.executeOn(pool, {})
    rooms.set(people?.rooms ?? 0)
    participants.set(people?.participants ?? 0)
    waiting.set(people?.waiting ?? 0)
    const found = await engine?.status()
    for (const state of states) engines.set({ state: state.replaceAll(' ', '_') }, state === found ? 1 : 0)
  })
}
