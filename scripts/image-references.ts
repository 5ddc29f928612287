/** A container image in a file: `name:tag`, and the digest that pins its content, if any. */
export type ImageReference = { name: string; digest: string | undefined }

const digestForm = /^sha256:[0-9a-f]{64}$/

/**
 * The image in a line of a Dockerfile or of compose.yaml; undefined for other lines, build stages and images built
 * here.
 */
function referenceIn(line: string, built: ReadonlySet<string>): ImageReference | undefined {
  const [, written] = /^(?:FROM|\s+image:) (\S+)/.exec(line) ?? []
  if (written === undefined || built.has(written)) return undefined
  const [name = '', digest] = written.split('@')
  return { name, digest }
}

/** Images that a file builds itself: the stages of a Dockerfile, and the image that compose.yaml builds. */
const builtIn = (text: string): ReadonlySet<string> =>
  new Set(['parley', ...[...text.matchAll(/^FROM \S+ AS (\S+)$/gm)].map(([, stage = '']) => stage)])

/** Every external image of a file, in order. */
export function imageReferences(text: string): ImageReference[] {
  const built = builtIn(text)
  return text.split('\n').flatMap((line) => referenceIn(line, built) ?? [])
}

/**
 * Write the digest from `digests` after each image; images without one are unchanged.
 * @throws TypeError
 */
export function withDigests(text: string, digests: ReadonlyMap<string, string>): string {
  const built = builtIn(text)
  return text
    .split('\n')
    .map((line) => {
      const found = referenceIn(line, built)
      const digest = found && digests.get(found.name)
      if (found === undefined || digest === undefined) return line
      if (!digestForm.test(digest)) throw new TypeError(`${digest} is not a digest`)
      const written = found.digest === undefined ? found.name : `${found.name}@${found.digest}`
      return line.replace(written, `${found.name}@${digest}`)
    })
    .join('\n')
}

export const isPinned = ({ digest }: ImageReference): boolean => digest !== undefined && digestForm.test(digest)
