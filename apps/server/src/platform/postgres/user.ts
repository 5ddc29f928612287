import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, lchown, readdir, readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { messageOf } from '../errors.ts'
import { StartProblem } from '../start-problem.ts'

/** How PostgreSQL's programs are started: they refuse to run as root. */
export type RunAs = {
  /** The command that precedes the program. */
  prefix: readonly string[]
  /** The user of the process; empty for the current one. */
  user: { uid: number; gid: number } | Record<string, never>
}

type User = { name: string; uid: number; gid: number }

const rootUid = 0
const ourselves: RunAs = { prefix: [], user: {} }
/** System users without login, best first. */
const serviceUsers = ['postgres', 'nobody']

/**
 * Choose the user that runs PostgreSQL, and make its files that user's.
 *
 * A normal user runs it directly. For root there are two ways. In a user namespace PostgreSQL sees another user, while
 * the kernel still treats it as root, so the files stay root's in a folder that only root may enter. Where namespaces
 * are refused (in most containers) it runs as an unprivileged user with its own folder. Files of another user keep
 * their owner.
 *
 * @param files the folder of the database cluster, which need not exist yet
 * @throws StartProblem with advice when there is no way
 */
export async function choosePostgresUser(dataDir: string, files: string, program: string): Promise<RunAs> {
  if (process.geteuid?.() !== rootUid && hasName()) return ourselves

  const owner = await ownerOf(files)
  const namespace = await inNamespace()
  const namespaceRefusal = await tryOut(namespace, dataDir, program)
  if (namespaceRefusal === undefined && (owner === undefined || owner.uid === process.geteuid?.())) return namespace
  if (process.geteuid?.() !== rootUid) {
    throw new StartProblem(
      `PostgreSQL needs its user to have a name, and user id ${process.geteuid?.()} has none here. ` +
        'Add it to /etc/passwd, or set DATABASE_URL to a PostgreSQL of your own.',
    )
  }

  const user = owner !== undefined && owner.uid !== rootUid ? owner : await unprivilegedUser(dataDir)
  const unprivileged: RunAs = { prefix: [], user: { uid: user.uid, gid: user.gid } }
  if ((await tryOut(unprivileged, dataDir, program)) !== undefined) await letThrough(dataDir, user)
  const refusal = await tryOut(unprivileged, dataDir, program)
  if (refusal !== undefined) {
    throw new StartProblem(
      `PostgreSQL does not run as root. It was tried in a user namespace (${namespaceRefusal}) and as the user ` +
        `${user.name} (${refusal}). Start Parley as a plain user, or put both Parley and DATA_DIR (${dataDir}) into ` +
        'folders that every user may enter, or set DATABASE_URL to a PostgreSQL of your own.',
    )
  }
  if (owner?.uid === rootUid) await giveAll(files, user)
  return unprivileged
}

/** Give a folder or file to PostgreSQL's user. */
export async function giveToPostgres(path: string, { user }: RunAs): Promise<void> {
  if (user.uid !== undefined) await chown(path, user.uid, user.gid)
}

/** The kernel maps one user of the namespace to us. The user must have a name, or initdb refuses. */
async function inNamespace(): Promise<RunAs> {
  const { uid, gid } = await serviceUser()
  return { prefix: ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`, '--'], user: {} }
}

/** The owner of the data folder, or of its parent, can enter it: `sudo npm start` in a home folder. */
async function unprivilegedUser(dataDir: string): Promise<User> {
  const users = await readUsers()
  for (const folder of [dataDir, dirname(dataDir)]) {
    const owner = await ownerOf(folder)
    const named = users.find(({ uid }) => uid !== rootUid && uid === owner?.uid)
    if (named !== undefined) return named
  }
  return serviceUser()
}

async function serviceUser(): Promise<User> {
  const users = await readUsers()
  const found = serviceUsers.flatMap((wanted) => users.filter(({ name, uid }) => name === wanted && uid !== rootUid))
  return found[0] ?? { name: 'nobody', uid: 65534, gid: 65534 }
}

async function readUsers(): Promise<User[]> {
  const lines = (await readFile('/etc/passwd', 'utf8').catch(() => '')).split('\n')
  return lines.flatMap((line) => {
    const [name = '', , uid, gid] = line.split(':')
    return Number(uid) >= 0 && Number(gid) >= 0 ? [{ name, uid: Number(uid), gid: Number(gid) }] : []
  })
}

const ownerOf = (path: string): Promise<User | undefined> =>
  stat(path).then(
    ({ uid, gid }) => ({ name: `with the id ${uid}`, uid, gid }),
    () => undefined,
  )

/**
 * Let the group pass through the data folder without listing it; the other files in it stay private. Root without the
 * right to change owners fails here, and the next check reports it.
 */
async function letThrough(dataDir: string, user: User) {
  await chown(dataDir, rootUid, user.gid)
    .then(() => chmod(dataDir, 0o710))
    .catch(() => {})
}

/** Change the folder itself last: the next start takes its owner as the sign that this was completed. */
async function giveAll(folder: string, user: User) {
  for (const name of await readdir(folder, { recursive: true })) await lchown(join(folder, name), user.uid, user.gid)
  await lchown(folder, user.uid, user.gid)
}

/** Enter the data folder and run the program as it would be run. Return the reason when it does not work. */
async function tryOut(runAs: RunAs, dataDir: string, program: string): Promise<string | undefined> {
  const attempt = [...runAs.prefix, '/bin/sh', '-c', 'cd -- "$1" && exec "$2" --version', 'sh', dataDir, program]
  const [command = '', ...words] = attempt
  try {
    const child = spawn(command, words, {
      ...runAs.user,
      cwd: '/',
      env: postgresEnvironment(),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const [said, [code]] = await Promise.all([child.stderr.toArray(), once(child, 'close')])
    return code === 0 ? undefined : Buffer.concat(said).toString('utf8').trim() || `exit code ${code}`
  } catch (error) {
    return messageOf(error)
  }
}

function hasName(): boolean {
  try {
    userInfo()
    return true
  } catch {
    return false
  }
}

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
