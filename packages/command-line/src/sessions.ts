import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { type AuthorizationServer, requestTokens } from './authorization-server.ts'
import { nowMs, random } from './computer-inputs.ts'
import { CommandError, type Terminal } from './terminal.ts'

/** A sign-in at a service, kept in the person's folder of settings. */
type Session = {
  server: AuthorizationServer
  accessToken: string
  refreshToken: string
  /** When the access token expires, in milliseconds. */
  expiresAt: number
}

type Sessions = { current?: string; services: Record<string, Session> }

type Environment = Terminal['env']

/** Renew an access token that would expire during a request. */
const renewedBeforeMs = 60_000

const folderOf = (env: Environment) =>
  join(env.XDG_CONFIG_HOME || (process.platform === 'win32' && env.APPDATA) || join(homedir(), '.config'), 'parley')

const fileOf = (env: Environment) => join(folderOf(env), 'sessions.json')

async function readSessions(env: Environment): Promise<Sessions> {
  try {
    return JSON.parse(await readFile(fileOf(env), 'utf8'))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return { services: {} }
    throw new CommandError(`${fileOf(env)} cannot be read. Delete it, and sign in again: parley login URL`)
  }
}

/** Replace the file as a whole: only its owner may read it, at no moment anyone else. */
async function writeSessions(env: Environment, sessions: Sessions): Promise<void> {
  await mkdir(folderOf(env), { recursive: true, mode: 0o700 })
  const beside = `${fileOf(env)}.${random('base64url')}`
  await writeFile(beside, `${JSON.stringify(sessions, null, 2)}\n`, { mode: 0o600, flag: 'wx' })
  await rename(beside, fileOf(env))
}

export async function saveSession(env: Environment, session: Session): Promise<void> {
  const { services } = await readSessions(env)
  const { issuer } = session.server
  await writeSessions(env, { current: issuer, services: { ...services, [issuer]: session } })
}

/** Remove the session of a service, or of the one that was used last. @returns the removed session */
export async function removeSession(env: Environment, base: string | undefined): Promise<Session | undefined> {
  const { current, services } = await readSessions(env)
  const removed = base ?? current
  if (removed === undefined || services[removed] === undefined) return undefined
  const { [removed]: session, ...others } = services
  const next = current === removed ? Object.keys(others)[0] : current
  await writeSessions(env, { ...(next !== undefined && { current: next }), services: others })
  return session
}

/** How a command reaches the service: `PARLEY_TOKEN` for scripts, else the sign-in. */
export async function findConnection(env: Environment, base: string | undefined) {
  const { current, services } = await readSessions(env)
  const chosen = base ?? (env.PARLEY_URL || current)
  if (chosen === undefined) throw new CommandError('Sign in first: parley login URL')
  if (env.PARLEY_TOKEN) return { base: chosen, token: env.PARLEY_TOKEN }
  if (services[chosen] === undefined) throw new CommandError(`Sign in first: parley login ${chosen}`)
  return { base: chosen, token: () => findAccessToken(env, chosen) }
}

/** Return an access token that is valid for a while. Another process may have renewed it meanwhile: read it anew. */
async function findAccessToken(env: Environment, base: string): Promise<string> {
  const session = (await readSessions(env)).services[base]
  if (session === undefined) throw new CommandError(`You are signed out: parley login ${base}`)
  if (nowMs() < session.expiresAt - renewedBeforeMs) return session.accessToken
  const { server, refreshToken } = session
  const renewed = await requestTokens(server, { grant_type: 'refresh_token', refresh_token: refreshToken })
  if (renewed === undefined) throw new CommandError(`The sign-in has ended. Sign in again: parley login ${base}`)
  const sessions = await readSessions(env)
  // Signed out meanwhile by another process, which has revoked the access.
  if (sessions.services[base] === undefined) throw new CommandError(`You are signed out: parley login ${base}`)
  await writeSessions(env, { ...sessions, services: { ...sessions.services, [base]: { server, ...renewed } } })
  return renewed.accessToken
}
