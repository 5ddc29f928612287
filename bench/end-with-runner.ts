/** Imported into each process of the benchmark: its standard input is a pipe that ends with the runner, however that ends. */
process.stdin.on('end', () => process.kill(process.pid, 'SIGTERM')).resume()
