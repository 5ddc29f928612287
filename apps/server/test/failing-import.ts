import { registerHooks } from 'node:module'
import type { TestContext } from 'node:test'

/**
 * Make every import of a package fail, as while its files are being replaced, until the returned function is called.
 */
export function failImports(t: TestContext, packageName: string): () => void {
  const hooks = registerHooks({
    resolve(specifier, context, nextResolve) {
      if (specifier === packageName) throw new Error(`Cannot find package '${packageName}'`)
      return nextResolve(specifier, context)
    },
  })
  t.after(() => hooks.deregister())
  return () => hooks.deregister()
}
