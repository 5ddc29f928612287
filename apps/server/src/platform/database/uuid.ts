const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether PostgreSQL can be asked for it: an id that cannot be one is nobody's. */
export const isUuid = (text: string) => uuid.test(text)
