import { mkdir, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { endpoints } from '@parley/contract'
import { requestFile } from './bruno/request-file.ts'
import { storyFiles } from './bruno/story.ts'

/**
 * npm run write-bruno: write examples/bruno, a collection of Bruno with a request for each endpoint of the contract.
 * Git ignores it: its 149 files repeat the contract.
 */
const brunoFolder = fileURLToPath(new URL('../examples/bruno', import.meta.url))

/** The folder of the requests that belong together; every other folder is a tag of the contract. */
export const storyFolder = 'Story'

/** @returns the texts of the collection's files, by path */
export function brunoCollection(): Map<string, string> {
  const tags = [...new Set(endpoints.map(({ tag }) => tag))]
  const folders = [storyFolder, ...tags].map((name, index): [string, string] => [
    `${name}/folder.bru`,
    `meta {\n  name: ${name}\n  seq: ${index + 1}\n}\n`,
  ])
  const requests = tags.flatMap((tag) =>
    endpoints
      .filter((endpoint) => endpoint.tag === tag)
      .map((endpoint, index): [string, string] => [
        `${tag}/${endpoint.name}.bru`,
        requestFile(endpoint, { position: index + 1 }),
      ]),
  )
  const story = storyFiles().map(([name, text]): [string, string] => [`${storyFolder}/${name}`, text])
  return new Map([
    ['bruno.json', `${JSON.stringify({ version: '1', name: 'Parley', type: 'collection' }, null, 2)}\n`],
    ['collection.bru', 'auth {\n  mode: bearer\n}\n\nauth:bearer {\n  token: {{token}}\n}\n'],
    [
      'environments/Parley.bru',
      'vars {\n  baseUrl: http://localhost:3000\n  clientId: \n}\nvars:secret [\n  token,\n  clientSecret\n]\n',
    ],
    ...folders,
    ...story,
    ...requests,
  ])
}

/** Replace the folder's content by the collection. */
export async function writeBruno(folder: string) {
  await rm(folder, { recursive: true, force: true })
  for (const [path, text] of brunoCollection()) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), text)
  }
}

if (import.meta.main) await writeBruno(brunoFolder)
