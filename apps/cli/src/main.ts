#!/usr/bin/env node
import { randomBytes, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { createProgram } from './program.ts'

const program = createProgram({
  environment: process.env,
  host: process,
  runId: randomUUID().slice(0, 8),
  createNonce: () => randomBytes(16).toString('base64url'),
  createSecret: () => randomBytes(32).toString('base64url'),
  print: (text) => console.log(text),
  printError: (text) => console.error(text),
  hostName: hostname(),
  now: () => Date.now(),
  platform: process.platform,
  input: { isInteractive: process.stdin.isTTY, stream: process.stdin },
  terminal: {
    isInteractive: process.stderr.isTTY,
    columns: () => process.stderr.columns,
    write: (text) => void process.stderr.write(text),
  },
})

if (process.argv.length === 2) program.outputHelp()
else await program.parseAsync(process.argv)
