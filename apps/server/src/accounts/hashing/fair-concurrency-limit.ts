import { problem } from '../../platform/http/problem.ts'

/** From the widest group to the narrowest: siblings share turns equally, and each divides its own among its members. */
export type GroupPath = readonly [string, ...string[]]

type RunFairly = <T>(path: GroupPath, work: () => Promise<T>) => Promise<T>

/** A task takes fractions of a second, so the queue is shorter by then. */
const retryAfterSeconds = 2

type Waiter = { start(): void; refuse(error: Error): void }

/**
 * A group of waiting tasks: its members in the order of their turns, or, at the end of a path, tasks in order of
 * arrival.
 */
type Group = { size: number; members: Map<string, Group>; waiters: Waiter[] }

/**
 * Run at most `maxConcurrent` tasks at once, and queue the others: in each group the members take turns, so that a
 * member with many tasks delays only itself. When `maxWaiting` tasks wait, the newest of the most crowded group is
 * dropped for a task of a less crowded one (as RFC 8290, 4.1, does for packets).
 * @throws unavailable when there is no room, at once or later
 */
export function createFairConcurrencyLimit(limits: { maxConcurrent: number; maxWaiting: number }): RunFairly {
  const { maxConcurrent, maxWaiting } = limits
  const root = newGroup()
  let running = 0

  const waitForTurn = (path: GroupPath) =>
    new Promise<void>((start, refuse) => {
      if (root.size >= maxWaiting) {
        const displaced = displaceFor(root, path)
        if (displaced === undefined) return refuse(queueFull())
        displaced.refuse(queueFull())
      }
      addWaiter(root, path, { start, refuse })
    })

  return async (path, work) => {
    if (running >= maxConcurrent) await waitForTurn(path)
    else running++
    try {
      return await work()
    } finally {
      // Pass the slot to the next task directly, so that a new task cannot take it.
      if (root.size === 0) running--
      else takeNext(root).start()
    }
  }
}

const newGroup = (): Group => ({ size: 0, members: new Map(), waiters: [] })

const queueFull = () => problem('unavailable', { retryAfterSeconds })

function addWaiter(root: Group, path: GroupPath, waiter: Waiter): void {
  let group = root
  group.size++
  for (const key of path) {
    const member = group.members.get(key) ?? newGroup()
    // A member without waiting tasks joins at the end of the round.
    group.members.set(key, member)
    group = member
    group.size++
  }
  group.waiters.push(waiter)
}

/** Remove the task whose turn is next; the group must not be empty. */
function takeNext(group: Group): Waiter {
  group.size--
  const [first] = group.members
  if (first === undefined) return group.waiters.shift() as Waiter
  const [key, member] = first
  const waiter = takeNext(member)
  group.members.delete(key)
  // At the end of the round.
  if (member.size > 0) group.members.set(key, member)
  return waiter
}

/** Drop the task that makes room for one of this path; undefined where the path's own group is the most crowded. */
function displaceFor(group: Group, [key, ...rest]: readonly string[]): Waiter | undefined {
  const crowded = mostCrowded(group)
  if (key === undefined || crowded === undefined) return undefined
  const own = group.members.get(key)
  const displaced =
    crowded.member.size > (own?.size ?? 0) + 1 ? dropNewest(crowded.member) : own && displaceFor(own, rest)
  if (displaced === undefined) return undefined
  group.size--
  if (crowded.member.size === 0) group.members.delete(crowded.key)
  return displaced
}

function dropNewest(group: Group): Waiter {
  group.size--
  const crowded = mostCrowded(group)
  if (crowded === undefined) return group.waiters.pop() as Waiter
  const waiter = dropNewest(crowded.member)
  if (crowded.member.size === 0) group.members.delete(crowded.key)
  return waiter
}

function mostCrowded({ members }: Group): { key: string; member: Group } | undefined {
  let found: { key: string; member: Group } | undefined
  for (const [key, member] of members)
    if (found === undefined || member.size > found.member.size) found = { key, member }
  return found
}
