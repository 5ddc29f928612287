import { problems, readProblem } from '@parley/contract'
import type { Service } from '../access/service.ts'
import { problem } from '../platform/http/problem.ts'

/** Serve the address in the `type` of each problem (RFC 9457, 3.1.1). */
export function serveReadProblem({ serve }: Service) {
  serve(readProblem, {
    handle: async ({ params }) => {
      const found = Object.entries(problems).find(([code]) => code === params.code)
      if (found === undefined) throw problem('not_found')
      const [code, { status, title }] = found
      return { code, status, title }
    },
  })
}
