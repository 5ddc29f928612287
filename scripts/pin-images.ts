import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { imageReferences, isPinned, withDigests } from './image-references.ts'

/**
 * npm run pin-images: write the current digest of every image into the Dockerfile and the files of Compose. Needs Docker with
 * buildx and access to the images' registry. With --check it changes nothing, and fails if an image is not pinned.
 */
const files = ['Dockerfile', 'compose.yaml', 'compose.small.yaml'].map((name) =>
  fileURLToPath(new URL(`../${name}`, import.meta.url)),
)
const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
const references = texts.flatMap(imageReferences)

if (process.argv.includes('--check')) {
  const unpinned = references.filter((reference) => !isPinned(reference)).map(({ name }) => name)
  if (unpinned.length > 0) {
    console.error(`These images are named by a tag, which can change: ${unpinned.join(', ')}. Run: npm run pin-images`)
    process.exitCode = 1
  }
} else {
  const digests = new Map<string, string>()
  for (const { name } of references) digests.set(name, await digestOf(name))
  for (const [index, file] of files.entries()) await writeFile(file, withDigests(texts[index] ?? '', digests))
  for (const [name, digest] of digests) console.log(`${name}@${digest}`)
}

/** The digest of the image for all platforms, as the registry has it at present. */
async function digestOf(name: string): Promise<string> {
  const words = ['buildx', 'imagetools', 'inspect', name, '--format', '{{.Manifest.Digest}}']
  const { stdout } = await promisify(execFile)('docker', words)
  return stdout.trim()
}
