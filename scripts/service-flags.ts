/**
 * The service's V8 flags wherever it is started: a young generation of up to 2 × 32 MB, and the next full collection
 * when the heap has grown by half. Twice 64 MB stay resident after any load, and twice 16 MB cost processor time,
 * because more of a list is still in use at a collection. By itself V8 lets the heap grow to four times what is in use.
 * `--max-old-space-size` would end the process. `npm start`, the image and the systemd unit repeat these flags and the
 * environment below in their own files; test/source/service-flags.test.ts compares them.
 */
export const serviceFlags = ['--max-semi-space-size=32', '--heap-growing-percent=50']

/**
 * glibc gives each thread a heap of its own and does not return freed memory. With two heaps, the memory of a password
 * hash (19 MB) is kept twice, rather than once for each thread that has ever computed one.
 */
export const serviceEnvironment = { MALLOC_ARENA_MAX: '2' }
