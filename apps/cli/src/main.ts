#!/usr/bin/env node
import { randomUUID } from 'node:crypto'
import { createProgram } from './program.ts'

const program = createProgram({
  environment: process.env,
  host: process,
  runId: randomUUID().slice(0, 8),
  print: (text) => console.log(text),
  printError: (text) => console.error(text),
})

if (process.argv.length === 2) program.outputHelp()
else await program.parseAsync(process.argv)
