/** The parts of a V8 CPU profile (`--cpu-prof`) that are used here. */
export type CpuProfile = {
  nodes: readonly { id: number; callFrame: { functionName: string; url: string }; children?: readonly number[] }[]
  /** The node that was running at each sample. */
  samples: readonly number[]
}

/** The functions that V8 reports when no JavaScript runs. */
const idleFunctions = new Set(['(idle)', '(root)'])

/**
 * The share of the busy samples whose stack contains a frame for which `isOwn` holds, from 0 to 1. Two versions of a
 * process differ in their heap and compiled code; a share within one process does not have this noise.
 */
export function shareOfProfile(profile: CpuProfile, isOwn: (url: string) => boolean): number {
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]))
  const owned = new Set<number>()
  const idle = new Set<number>()
  const visit = (id: number, inOwn: boolean) => {
    const node = nodes.get(id)
    if (node === undefined) return
    const own = inOwn || isOwn(node.callFrame.url)
    if (own) owned.add(id)
    if (idleFunctions.has(node.callFrame.functionName)) idle.add(id)
    for (const child of node.children ?? []) visit(child, own)
  }
  const root = profile.nodes[0]
  if (root !== undefined) visit(root.id, false)
  const busy = profile.samples.filter((id) => !idle.has(id))
  return busy.length === 0 ? Number.NaN : busy.filter((id) => owned.has(id)).length / busy.length
}
