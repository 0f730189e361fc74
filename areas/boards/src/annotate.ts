import type { AnnotatedSchematic } from '@patchbay/contracts/boards'
import { Problem } from '@patchbay/contracts/core'
import { BOARD_LIMITS } from '@patchbay/contracts/limits'
import {
  annotationFor,
  applyChange,
  type Document,
  KicadSyntaxError,
  parse,
  projectOf,
  readDesign,
  type TextEdit,
  textEdits,
} from '@patchbay/kicad-format'

export interface Annotated {
  readonly edits: ReadonlyMap<string, readonly TextEdit[]>
  readonly files: AnnotatedSchematic['files']
}

/** Numbers for all symbols of a design that have none, in all its files. `read` throws the problem of why not. */
export async function annotateDesign(
  root: string,
  read: (path: string) => Promise<string>,
): Promise<Annotated> {
  const documents = await readFiles(root, read)
  const design = readDesign(documents, root)
  if (design.sheets.length === 0) throw refuse(`${root} is no schematic.`)
  // A number that such a sheet has could be given twice.
  const [fault] = design.faults
  if (fault !== undefined) throw refuse(`Not all sheets can be read. ${fault.file}: ${fault.message}.`)
  const changes = annotationFor(design, projectOf(design))
  const edits = new Map<string, readonly TextEdit[]>()
  for (const [file, change] of changes) {
    const before = documents.get(file)
    const outcome = before && applyChange(before, change)
    if (before === undefined || outcome?.document === undefined)
      throw refuse(`The symbols of ${file} cannot be numbered. ${outcome?.refused?.message ?? ''}`.trim())
    edits.set(file, textEdits(before, outcome.document))
  }
  const files = [...changes].map(([path, { references }]) => ({
    path,
    references: references.map(({ id, reference }) => ({ id, reference })),
  }))
  return { edits, files }
}

async function readFiles(
  root: string,
  read: (path: string) => Promise<string>,
): Promise<Map<string, Document>> {
  const documents = new Map<string, Document>()
  const missing = new Set<string>()
  let characters = 0
  for (let wanted = [root]; wanted.length > 0; wanted = wantedBy(documents, root, missing)) {
    for (const path of wanted) {
      if (documents.size >= BOARD_LIMITS.annotatedFiles)
        throw refuse(`The schematic has more than ${BOARD_LIMITS.annotatedFiles} files.`)
      const text = await read(path).catch((error: unknown) => {
        if (path === root || !(error instanceof Problem) || error.code !== 'file_not_found') throw error
        missing.add(path)
      })
      if (text === undefined) continue
      characters += text.length
      if (characters > BOARD_LIMITS.annotatedCharacters)
        throw refuse(
          `The files of the schematic are longer than ${BOARD_LIMITS.annotatedCharacters} characters together.`,
        )
      documents.set(path, parsed(path, text))
    }
  }
  return documents
}

/** Files that sheets name and nobody has read. */
function wantedBy(
  documents: ReadonlyMap<string, Document>,
  root: string,
  missing: ReadonlySet<string>,
): string[] {
  const names = readDesign(documents, root)
    .faults.filter(({ code }) => code === 'missing_file')
    .map(({ file }) => file)
  return [...new Set(names)].filter((file) => file !== '' && !file.startsWith('..') && !missing.has(file))
}

function parsed(path: string, text: string): Document {
  try {
    return parse(text)
  } catch (error) {
    if (!(error instanceof KicadSyntaxError)) throw error
    throw refuse(`${path} cannot be read. ${error.message}.`)
  }
}

const refuse = (detail: string) => new Problem('board_file_refused', { detail })
