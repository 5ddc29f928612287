/** Variables that change the behaviour of PostgreSQL or of the C library. */
const steersPostgres = /^(PG|LC_|LANG$|LANGUAGE$|TZ$)/
/** PostgreSQL does not need our secrets, and other processes of its user could read them there. */
const looksSecret = /SECRET|PASSWORD|TOKEN|KEY|CREDENTIAL|_URL/i

/**
 * The environment for PostgreSQL's programs: ours, so that a preloaded library or a changed clock applies to both,
 * without variables that affect PostgreSQL or look like secrets.
 */
export const postgresEnvironment = (environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(environment).filter(([name]) => !steersPostgres.test(name) && !looksSecret.test(name)),
  )
