import type { Adapter, AdapterPayload } from 'oidc-provider'
import type pg from 'pg'

/** One table for all models, as in oidc-provider's example adapters; every look-up uses an index. */
export const oidcTables = `
  create table if not exists oidc_payload (
    model text not null,
    id text not null,
    payload jsonb not null,
    grant_id text,
    user_code text,
    uid text,
    expires_at timestamptz,
    consumed_at timestamptz,
    primary key (id, model)
  );
  create index if not exists oidc_payload_by_grant on oidc_payload (grant_id) where grant_id is not null;
  create index if not exists oidc_payload_by_user_code on oidc_payload (user_code) where user_code is not null;
  create index if not exists oidc_payload_by_uid on oidc_payload (uid) where uid is not null;`

type Row = { payload: AdapterPayload; expires_at: Date | null; consumed_at: Date | null }

const found = 'select payload, expires_at, consumed_at from oidc_payload'

/** Store oidc-provider's state in PostgreSQL. Each operation is one named statement, so that it is prepared once. */
export function createOidcAdapter(pool: pg.Pool, model: string): Adapter {
  async function findWhere(name: string, condition: string, value: string): Promise<AdapterPayload | undefined> {
    const text = `${found} where ${condition}`
    const { rows } = await pool.query<Row>({ name: `oidc-${name}`, text, values: [value, model] })
    const [row] = rows
    if (row === undefined || (row.expires_at !== null && row.expires_at <= new Date())) return undefined
    return row.consumed_at === null ? row.payload : { ...row.payload, consumed: true }
  }

  return {
    find: (id) => findWhere('find', 'id = $1 and model = $2', id),
    findByUserCode: (code) => findWhere('find-by-user-code', 'user_code = $1 and model = $2', code),
    findByUid: (uid) => findWhere('find-by-uid', 'uid = $1 and model = $2', uid),
    async upsert(id, payload, expiresIn) {
      const expiresAt = expiresIn ? new Date(Date.now() + expiresIn * 1000) : null
      await pool.query({
        name: 'oidc-upsert',
        text: `insert into oidc_payload (id, model, payload, grant_id, user_code, uid, expires_at)
          values ($1, $2, $3, $4, $5, $6, $7) on conflict (id, model) do update
          set payload = $3, grant_id = $4, user_code = $5, uid = $6, expires_at = $7`,
        values: [id, model, payload, payload.grantId, payload.userCode, payload.uid, expiresAt],
      })
    },
    async consume(id) {
      const text = 'update oidc_payload set consumed_at = now() where id = $1 and model = $2'
      await pool.query({ name: 'oidc-consume', text, values: [id, model] })
    },
    async destroy(id) {
      const text = 'delete from oidc_payload where id = $1 and model = $2'
      await pool.query({ name: 'oidc-destroy', text, values: [id, model] })
    },
    async revokeByGrantId(grantId) {
      const text = 'delete from oidc_payload where grant_id = $1'
      await pool.query({ name: 'oidc-revoke', text, values: [grantId] })
    },
  }
}
