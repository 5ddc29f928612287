import { existsSync, readdirSync, readFileSync } from 'node:fs'

// Every npm script begins with this. It runs under the Node that comes first on the PATH, which may be an old one if
// Parley's own is not installed. It is therefore plain JavaScript that Node 12 understands, and imports none of our
// files.
const root = new URL('../', import.meta.url)
const { optionalDependencies } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8'))
const platforms = Object.keys(optionalDependencies).filter((name) => /^node-/.test(name))
const pinned = optionalDependencies[platforms[0]]
const found = process.versions.node

if (majorOf(found) < majorOf(pinned)) {
  console.error(`Parley runs on Node ${majorOf(pinned)}, and this is Node ${found}. ${advice()}`)
  process.exitCode = 1
}

function majorOf(version) {
  return Number(version.split('.')[0])
}

/** npm puts Parley's own Node first on the PATH of its scripts, once that Node is installed. */
function advice() {
  const modules = new URL('node_modules/', root)
  const isInstalled = platforms.some((name) => existsSync(new URL(`${name}/bin/node`, modules)))
  if (isInstalled) {
    return 'Its own Node is installed, but another came first. Use an npm script (npm start, npm test), or run:\n\n  npx node\n'
  }
  if (!existsSync(modules) || readdirSync(modules).length === 0) {
    return 'Its own Node is not installed yet. Run:\n\n  npm install\n'
  }
  return (
    'Its own Node is missing: either npm left the optional packages out, or there is none for ' +
    `${process.platform} on ${process.arch}. Run:\n\n  npm install --include=optional\n`
  )
}
