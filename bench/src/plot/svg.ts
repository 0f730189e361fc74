/** Mid-tones on nothing: readable on the light and on the dark pages that show them. */
const INK = '#7d8590'
export const GOAL = '#d1584f'
export const FAINT = '#7d859055'
const COLOURS = ['#8b949e', '#c08a3e', '#3d85d8'] as const

export function colourOf(index: number): string {
  return COLOURS[index % COLOURS.length] ?? INK
}

export function text(x: number, y: number, content: string, more = ''): string {
  return `<text x="${round(x)}" y="${round(y)}" ${more}>${escape(content)}</text>`
}

export function rectangle(x: number, y: number, width: number, height: number, fill: string): string {
  return `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}" rx="2" fill="${fill}"/>`
}

export function line(x1: number, y1: number, x2: number, y2: number, more: string): string {
  return `<line x1="${round(x1)}" y1="${round(y1)}" x2="${round(x2)}" y2="${round(y2)}" ${more}/>`
}

/** `title` is also what a screen reader says. */
export function picture(width: number, height: number, title: string, parts: readonly string[]): string {
  const size = `width="${round(width)}" height="${round(height)}" viewBox="0 0 ${round(width)} ${round(height)}"`
  const font = `font-family="system-ui, sans-serif" font-size="12" fill="${INK}"`
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} role="img" ${font}>`,
    `<title>${escape(title)}</title>`,
    text(0, 16, title, 'font-size="14" font-weight="600"'),
    ...parts,
    '</svg>\n',
  ].join('\n')
}

/** Coloured squares with names, in one row. */
export function legend(y: number, names: readonly string[], colours: readonly string[]): string {
  let x = 0
  return names
    .map((name, index) => {
      const at = x
      x += 30 + name.length * 6.6
      return rectangle(at, y - 10, 11, 11, colours[index] ?? INK) + text(at + 17, y, name)
    })
    .join('\n')
}

/** The next of 1, 2, 2.5, 5, 10, 20 … that the value fits under. */
export function ceiling(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 2.5, 5, 10].find((step) => step * power >= value) ?? 10) * power
}

function round(value: number): string {
  return String(Math.round(value * 10) / 10)
}

function escape(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
}
