/** The program that loads the runtime's WebAssembly; the package has no types for it. */
declare module '@litertjs/core/wasm/litert_wasm_compat_internal.js' {
  const createModule: (options: object) => Promise<unknown>
  export = createModule
}
