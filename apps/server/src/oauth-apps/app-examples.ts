import { callbackFor, exampleCallbacks } from '@parley/rules/doc-examples'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../access/caller.ts'
import type { Database } from '../platform/database/database.ts'
import { ProblemError } from '../platform/http/problem.ts'
import { findOwnApp } from './app-store.ts'
import { newestRevision } from './app-view.ts'

type AppExamples = { callback: string; scopes: readonly string[] }

type Dependencies = { database: Database; authenticate: (request: FastifyRequest) => Promise<Caller> }

/**
 * Find the values that the documentation's examples show for an app: only for its signed-in owner, so that no link can
 * make our pages show another party's callback.
 */
export const createFindAppExamples =
  ({ database, authenticate }: Dependencies) =>
  async (request: FastifyRequest, appId: string): Promise<AppExamples | undefined> => {
    const caller = await authenticate(request).catch((error) => {
      if (error instanceof ProblemError) return undefined
      throw error
    })
    if (caller?.credential.kind !== 'session') return undefined
    const found = await findOwnApp(database, appId, caller.accountId)
    if (found === undefined) return undefined
    const { callbackUrls, clientType, scopes } = newestRevision(found)
    return { callback: callbackFor(callbackUrls, exampleCallbacks[clientType]), scopes }
  }
