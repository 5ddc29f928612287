import { problem, tooManyRequests } from './http/problem.ts'

/** From the widest group to the narrowest: siblings take turns, and each divides its own among its members. */
export type GroupPath = readonly [string, ...string[]]

/** The cost of a running task: what it uses of its requester's limit, and of the common limit. */
type TaskCost = { ofRequester: number; ofAll: number }

/**
 * Limits of one requester, the first group of the path: the cost of its running tasks, and the number of its waiting
 * tasks.
 */
export type RequesterLimits = { inProgress: number; waiting: number }

type Task = {
  /** The task's paths through a tree of groups that take turns. */
  paths: readonly [GroupPath, ...GroupPath[]]
  cost?: TaskCost
  limits?: RequesterLimits
  /** Called when the task does not start at once. */
  onWait?: () => void
}

export type FairLimit = {
  /** Take a place, for as long as it is not returned. @throws too_many_requests, unavailable */
  take(task: Task): Promise<() => void>
  /** Run work in a place. @throws too_many_requests, unavailable */
  run<Result>(task: Task, work: () => Promise<Result>): Promise<Result>
}

/** Tasks take fractions of a second, so the queue is shorter after this time. */
const retryAfterSeconds = 2
const retryRequesterMs = 1_000

const oneEach: TaskCost = { ofRequester: 1, ofAll: 1 }
const noLimits: RequesterLimits = { inProgress: Number.POSITIVE_INFINITY, waiting: Number.POSITIVE_INFINITY }

type Waiter = Required<Pick<Task, 'paths' | 'cost' | 'limits'>> & { start(): void; refuse(error: Error): void }

/**
 * Limit the tasks that run at the same time; the others wait: in each group the members take turns, so that a member
 * with many tasks delays only itself. A task with several paths takes turns by each of them: the paths are used
 * alternately, so that it waits long only if it is crowded in all. When `maxWaiting` tasks wait, the newest of the most
 * crowded group is dropped for a task of a less crowded one (as RFC 8290, 4.1, does for packets).
 *
 * A requester at its own limit is passed over. When a costly task is next, free places are reserved for it, so that
 * smaller tasks cannot delay it.
 */
export function createFairLimit(options: { maxInProgress: number; maxWaiting: number }): FairLimit {
  const { maxInProgress, maxWaiting } = options
  const inProgressOf = new Map<string, number>()
  let trees: Group[] = [newGroup()]
  let nextTree = 0
  let inProgress = 0

  const fitsRequester = ({ paths: [[requester]], cost, limits }: Pick<Waiter, 'paths' | 'cost' | 'limits'>) => {
    const own = inProgressOf.get(requester) ?? 0
    // A task that costs more than the whole limit runs alone.
    return own === 0 || own + cost.ofRequester <= limits.inProgress
  }
  const fitsAll = ({ cost }: Pick<Waiter, 'cost'>) =>
    cost.ofAll === 0 || inProgress === 0 || inProgress + cost.ofAll <= maxInProgress

  const waitingOf = ({ paths: [[requester]] }: Pick<Waiter, 'paths'>) => trees[0]?.members.get(requester)?.size ?? 0

  function occupy({ paths: [[requester]], cost }: Pick<Waiter, 'paths' | 'cost'>): () => void {
    inProgress += cost.ofAll
    inProgressOf.set(requester, (inProgressOf.get(requester) ?? 0) + cost.ofRequester)
    let isReturned = false
    return () => {
      if (isReturned) return
      isReturned = true
      inProgress -= cost.ofAll
      const left = (inProgressOf.get(requester) ?? 0) - cost.ofRequester
      if (left > 0) inProgressOf.set(requester, left)
      else inProgressOf.delete(requester)
      startWaiting()
    }
  }

  function startWaiting(): void {
    while (trees[0]?.size) {
      const tree = trees[nextTree % trees.length] as Group
      nextTree++
      const first = nextOf(tree, fitsRequester)
      if (first === undefined) return
      const waiter = fitsAll(first) ? first : nextOf(tree, (each) => each.cost.ofAll === 0 && fitsRequester(each))
      // The turn stays with this tree, whose task keeps what becomes free.
      if (waiter !== first) nextTree--
      if (waiter === undefined) return
      remove(waiter, { hadTurn: true })
      waiter.start()
    }
  }

  function remove(waiter: Waiter, how: Removal): void {
    trees.forEach((tree, index) => {
      const path = waiter.paths[index]
      if (path !== undefined) removeWaiter(tree, path, waiter, how)
    })
  }

  /** @throws too_many_requests, unavailable */
  function makeRoom({ paths, limits }: Waiter): void {
    if (waitingOf({ paths }) >= limits.waiting) throw tooManyRequests(retryRequesterMs)
    if ((trees[0]?.size ?? 0) < maxWaiting) return
    for (const [index, tree] of trees.entries()) {
      const displaced = findDisplaced(tree, paths[index] ?? [])
      if (displaced === undefined) continue
      remove(displaced, { hadTurn: false })
      displaced.refuse(queueFull())
      return
    }
    throw queueFull()
  }

  const limit: FairLimit = {
    async take({ paths, cost = oneEach, limits = noLimits, onWait }) {
      const task = { paths, cost, limits }
      const waiting = cost.ofAll === 0 ? waitingOf(task) : trees[0]?.size
      if (!waiting && fitsRequester(task) && fitsAll(task)) return occupy(task)
      while (trees.length < paths.length) trees = [...trees, newGroup()]
      const { promise, resolve, reject } = Promise.withResolvers<() => void>()
      let isWaiting = true
      const waiter: Waiter = {
        ...task,
        start() {
          isWaiting = false
          resolve(occupy(task))
        },
        refuse: reject,
      }
      makeRoom(waiter)
      trees.forEach((tree, index) => {
        const path = paths[index]
        if (path !== undefined) addWaiter(tree, path, waiter)
      })
      startWaiting()
      if (isWaiting) onWait?.()
      return promise
    },
    async run(task, work) {
      const release = await limit.take(task)
      try {
        return await work()
      } finally {
        release()
      }
    },
  }
  return limit
}

const queueFull = () => problem('unavailable', { retryAfterSeconds })

/**
 * A group of waiting tasks: its members in the order of their turns, or, at the end of a path, tasks in order of
 * arrival.
 */
type Group = { size: number; members: Map<string, Group>; waiters: Waiter[] }

const newGroup = (): Group => ({ size: 0, members: new Map(), waiters: [] })

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

/** Whether a waiter leaves because it had its turn: the members of its path then go to the end of their rounds. */
type Removal = { hadTurn: boolean }

function removeWaiter(group: Group, [key, ...rest]: readonly string[], waiter: Waiter, how: Removal): void {
  group.size--
  if (key === undefined) {
    group.waiters.splice(group.waiters.indexOf(waiter), 1)
    return
  }
  const member = group.members.get(key) as Group
  removeWaiter(member, rest, waiter, how)
  if (how.hadTurn || member.size === 0) group.members.delete(key)
  if (how.hadTurn && member.size > 0) group.members.set(key, member)
}

/** The task whose turn is next, of a requester who is below its limit. */
function nextOf({ members }: Group, fits: (waiter: Waiter) => boolean): Waiter | undefined {
  for (const member of members.values()) {
    const waiter = firstOf(member)
    if (fits(waiter)) return waiter
  }
  return undefined
}

function firstOf(group: Group): Waiter {
  const [member] = group.members.values()
  return member === undefined ? (group.waiters[0] as Waiter) : firstOf(member)
}

/** Find the task that makes room for one of this path; undefined where the path's own group is the most crowded. */
function findDisplaced(group: Group, [key, ...rest]: readonly string[]): Waiter | undefined {
  const crowded = mostCrowded(group)
  if (key === undefined || crowded === undefined) return undefined
  const own = group.members.get(key)
  return crowded.size > (own?.size ?? 0) + 1 ? newestOf(crowded) : own && findDisplaced(own, rest)
}

function newestOf(group: Group): Waiter {
  const crowded = mostCrowded(group)
  return crowded === undefined ? (group.waiters.at(-1) as Waiter) : newestOf(crowded)
}

function mostCrowded({ members }: Group): Group | undefined {
  let found: Group | undefined
  for (const member of members.values()) if (found === undefined || member.size > found.size) found = member
  return found
}
