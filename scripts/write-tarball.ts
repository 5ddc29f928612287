import { constants, gzipSync } from 'node:zlib'

/** A file in an archive. */
export type ArchivedFile = { path: string; bytes: Uint8Array; isExecutable?: boolean }

const blockBytes = 512
const maxNameBytes = 100
const maxPrefixBytes = 155

/** The time of every file, as npm sets it: an archive depends on the content only. */
const modifiedAt = Date.UTC(1985, 9, 26, 8, 15) / 1000

/**
 * Write a gzipped archive of the POSIX format ustar (IEEE 1003.1), which `tar` and npm unpack. The same files give the
 * same bytes, whatever the machine, the user and the hour.
 */
export function writeTarball(files: readonly ArchivedFile[]): Buffer {
  const sorted = files.toSorted((one, other) => (one.path < other.path ? -1 : 1))
  const blocks = sorted.flatMap(({ path, bytes, isExecutable = false }) => [
    headerOf(path, bytes.length, isExecutable ? 0o755 : 0o644),
    bytes,
    Buffer.alloc((blockBytes - (bytes.length % blockBytes)) % blockBytes),
  ])
  // Two empty blocks end an archive.
  const archive = Buffer.concat([...blocks, Buffer.alloc(2 * blockBytes)])
  const compressed = gzipSync(archive, { level: constants.Z_BEST_COMPRESSION })
  // "Unknown" instead of the operating system (RFC 1952, 2.3.1).
  compressed[9] = 255
  return compressed
}

function headerOf(path: string, length: number, mode: number): Buffer {
  const header = Buffer.alloc(blockBytes)
  const { name, prefix } = splitPath(path)
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`
  header.write(name, 0)
  header.write(octal(mode, 7), 100)
  // Owner and group: root.
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(length, 11), 124)
  header.write(octal(modifiedAt, 11), 136)
  header.write(' '.repeat(8), 148)
  header.write('0', 156)
  header.write('ustar\x0000', 257)
  header.write(prefix, 345)
  const checksum = header.reduce((sum, byte) => sum + byte, 0)
  header.write(`${checksum.toString(8).padStart(6, '0')}\0 `, 148)
  return header
}

/** Split a long path at a slash: the format has two fields for it. */
function splitPath(path: string): { name: string; prefix: string } {
  const bytes = Buffer.byteLength
  if (bytes(path) <= maxNameBytes) return { name: path, prefix: '' }
  for (let slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
    const [prefix, name] = [path.slice(0, slash), path.slice(slash + 1)]
    if (bytes(name) <= maxNameBytes && bytes(prefix) <= maxPrefixBytes) return { name, prefix }
  }
  throw new Error(`The path is too long for an archive: ${path}`)
}
