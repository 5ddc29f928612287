const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** Whether a text is a UUID. PostgreSQL refuses other texts: answer that nothing was found. */
export const isUuid = (text: string) => uuid.test(text)
