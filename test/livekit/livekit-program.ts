import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** The one that scripts/install-judges.sh builds; its version is part of its name, so an old one is never taken for it. */
export const livekitVersion = 'v1.13.5'

const built = fileURLToPath(new URL(`../../.judges/livekit-server-${livekitVersion}`, import.meta.url))

/** A livekit-server of one's own can be named by LIVEKIT_SERVER; undefined where there is none. */
export function findLivekit(): string | undefined {
  const own = process.env.LIVEKIT_SERVER
  return own !== undefined && own !== '' ? own : existsSync(built) ? built : undefined
}
