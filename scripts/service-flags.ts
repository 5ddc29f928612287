/**
 * V8 flags of the service wherever it is started (decision 0105): a young space of up to 2 × 32 MB, and the next full
 * collection when the heap has grown by half. `npm start`, the image and the systemd unit have them in their own files;
 * test/service-flags.test.ts compares.
 */
export const serviceFlags = ['--max-semi-space-size=32', '--heap-growing-percent=50']
