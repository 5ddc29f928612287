import { existsSync, readFileSync } from 'node:fs'

// Every npm script begins with this. It runs under whichever Node comes first on the PATH, which is an old one when
// Parley's own is not installed: so it is plain JavaScript that a Node 12 understands, and imports nothing of ours.
const root = new URL('../', import.meta.url)
const pinned = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')).dependencies.node
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
  if (!existsSync(new URL('node_modules/node', root))) {
    return 'Its own Node is not installed yet. Run:\n\n  npm install\n'
  }
  if (!existsSync(new URL('node_modules/node/bin/node', root))) {
    return (
      'Its own Node is missing, because npm did not run the install script of the package "node" ' +
      '(that is what --ignore-scripts does). Run:\n\n  npm rebuild node --ignore-scripts=false\n'
    )
  }
  return 'Its own Node is installed, but another came first. Use an npm script (npm start, npm test), or run:\n\n  npx node\n'
}
