import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/**
 * scripts/install-interop-tools.sh builds the program. Its name contains the version, so that an old one is never used.
 */
const livekitVersion = 'v1.13.5'

const built = fileURLToPath(new URL(`../../.interop-tools/livekit-server-${livekitVersion}`, import.meta.url))

/**
 * LIVEKIT_SERVER may set another livekit-server.
 * @returns undefined where there is none
 */
export function findLivekit(): string | undefined {
  const own = process.env.LIVEKIT_SERVER
  return own !== undefined && own !== '' ? own : existsSync(built) ? built : undefined
}
