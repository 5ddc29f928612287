/**
 * The service's V8 flags wherever it is started (decision 0105): a young generation of up to 2 × 32 MB, and the next
 * full collection when the heap has grown by half. `npm start`, the image and the systemd unit repeat these flags and
 * the environment below in their own files; test/service-flags.test.ts compares them.
 */
export const serviceFlags = ['--max-semi-space-size=32', '--heap-growing-percent=50']

/**
 * glibc gives each thread a heap of its own and does not return freed memory. With two heaps, the memory of a password
 * hash (19 MB) is kept twice, rather than once for each thread that has ever computed one.
 */
export const serviceEnvironment = { MALLOC_ARENA_MAX: '2' }
