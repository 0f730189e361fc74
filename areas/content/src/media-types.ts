/** By extension. What is not here is bytes. */
const MEDIA_TYPES: Readonly<Record<string, readonly string[]>> = {
  'text/plain': ['txt', 'log', 'gitignore', 'editorconfig', 'lst', 'map'],
  'text/markdown': ['md', 'markdown'],
  'text/csv': ['csv'],
  'text/html': ['html', 'htm'],
  'text/css': ['css'],
  'text/javascript': ['js', 'mjs', 'cjs', 'jsx'],
  'text/x-typescript': ['ts', 'mts', 'cts', 'tsx'],
  'text/x-python': ['py'],
  'text/x-c': ['c', 'h', 'ino', 'cc', 'cpp', 'cxx', 'hh', 'hpp', 'hxx', 'pio'],
  'text/x-asm': ['s', 'asm', 'ld'],
  'text/x-rust': ['rs'],
  'text/x-verilog': ['v', 'sv', 'vh'],
  'text/x-vhdl': ['vhd', 'vhdl'],
  'text/x-shellscript': ['sh'],
  'text/x-makefile': ['mk', 'cmake'],
  'text/x-spice': ['cir', 'spice', 'net'],
  'text/x-gerber': ['gbr', 'gtl', 'gbl', 'gto', 'gbo', 'gts', 'gbs', 'gko', 'drl'],
  'text/x-kicad': ['kicad_pcb', 'kicad_sch', 'kicad_sym', 'kicad_mod', 'kicad_dru', 'kicad_wks'],
  'application/json': ['json', 'kicad_pro', 'kicad_prl'],
  'application/yaml': ['yaml', 'yml'],
  'application/toml': ['toml'],
  'application/xml': ['xml'],
  'application/pdf': ['pdf'],
  'application/zip': ['zip'],
  'application/gzip': ['gz'],
  'application/wasm': ['wasm'],
  'image/png': ['png'],
  'image/jpeg': ['jpg', 'jpeg'],
  'image/gif': ['gif'],
  'image/webp': ['webp'],
  'image/svg+xml': ['svg'],
  'model/gltf-binary': ['glb'],
  'model/gltf+json': ['gltf'],
  'model/stl': ['stl'],
  'model/obj': ['obj'],
  'model/ply': ['ply'],
  'model/step': ['step', 'stp'],
  'image/avif': ['avif'],
  'image/x-icon': ['ico'],
  'font/woff2': ['woff2'],
  'font/woff': ['woff'],
  'font/ttf': ['ttf'],
  'video/mp4': ['mp4'],
  'video/webm': ['webm'],
  'audio/wav': ['wav'],
}

const BY_EXTENSION = new Map(
  Object.entries(MEDIA_TYPES).flatMap(([type, extensions]) =>
    extensions.map((each) => [each, type] as const),
  ),
)

export function mediaTypeOf(path: string): string {
  const extension = path.slice(path.lastIndexOf('.') + 1).toLowerCase()
  return BY_EXTENSION.get(extension) ?? 'application/octet-stream'
}
