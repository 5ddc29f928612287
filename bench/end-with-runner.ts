/**
 * Imported into each process of the benchmark. Its standard input is a pipe that closes when the runner ends for any
 * reason.
 */
process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM')).resume()
