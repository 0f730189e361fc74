// Writes the figures of docs/scale/people.md: `pnpm scale`.
import { readFile, writeFile } from 'node:fs/promises'
import { fillDocument } from '../report.ts'
import { scaleParts } from './document.ts'

const DOCUMENT = new URL('../../../docs/scale/people.md', import.meta.url)
await writeFile(DOCUMENT, fillDocument(await readFile(DOCUMENT, 'utf8'), scaleParts()))
