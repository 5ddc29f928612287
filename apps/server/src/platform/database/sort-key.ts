import { type RawBuilder, sql } from 'kysely'

/**
 * The key that a list is sorted by for a text: without case, and decomposed, so that an accented letter is beside its
 * plain one in every collation of the database.
 */
export const sortKey = (text: RawBuilder<unknown>): RawBuilder<string> => sql<string>`lower(normalize(${text}, NFD))`
