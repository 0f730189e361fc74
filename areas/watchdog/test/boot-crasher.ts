/** Fails at once, with a message that tries to act on the reader's terminal. */
for (let line = 1; line <= 30; line += 1) process.stderr.write(`line ${line}\n`)
process.stderr.write('\u001b[31mcannot start\u001b[0m\u0007: the configuration is wrong\n')
process.exit(Number(process.argv[3] ?? '1'))
