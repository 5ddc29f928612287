/** Names that tell PostgreSQL, or the C library below it, to behave otherwise than we ask it to. */
const steersPostgres = /^(PG|LC_|LANG$|LANGUAGE$|TZ$)/
/** PostgreSQL has no use for our secrets, and whoever shares its user could read them there. */
const looksSecret = /SECRET|PASSWORD|TOKEN|KEY|CREDENTIAL|_URL/i

/**
 * The environment for PostgreSQL's programs: ours, so that a preloaded library or a changed clock holds for both, less
 * what would steer PostgreSQL and what looks like a secret.
 */
export const postgresEnvironment = (environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv =>
  Object.fromEntries(
    Object.entries(environment).filter(([name]) => !steersPostgres.test(name) && !looksSecret.test(name)),
  )
