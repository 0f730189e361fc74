import { quote } from '../tree/value.ts'

/** An empty schematic as KiCad 9 writes it. `id`: a new UUID. */
export function newSchematic(id: string): string {
  return `(kicad_sch
	(version 20250114)
	(generator "eeschema")
	(generator_version "9.0")
	(uuid ${quote(id).text})
	(paper "A4")
	(lib_symbols)
	(sheet_instances
		(path "/"
			(page "1")
		)
	)
	(embedded_fonts no)
)
`
}
