import type { Computer, Files } from './computer.ts'

export const IDENTIFIER = 'com.example.night-lamp'
export const FOLDER = 'night-lamp'

/** Any byte there is, as in pictures and models. */
const EVERY_BYTE = String.fromCharCode(...Array.from({ length: 256 }, (_, byte) => byte))

/** What the author writes into the folder, beside what `package init` made. */
export const FIRST_FILES: Files = {
  'plugins/__init__.py': 'print("a light for the night")\r\n',
  'plugins/lamp/shade.bin': EVERY_BYTE,
  'plugins/lamp/old.py': '',
  'plugins/settings.ini': 'brightness = 10\n',
}

/** One file changed, one new, one gone, and another default for the settings. */
export const SECOND_FILES: Files = {
  'plugins/__init__.py': 'print("a brighter light for the night")\n',
  'plugins/lamp/shade.bin': EVERY_BYTE,
  'plugins/lamp/new.py': 'x = 1\n',
  'plugins/settings.ini': 'brightness = 20\ncolor = red\n',
}

export async function writeFiles(author: Computer, files: Files): Promise<void> {
  for (const [path, content] of Object.entries(files)) await author.write(`${FOLDER}/${path}`, content)
}

/** Replaces a part of the metadata, as somebody in an editor would. */
export async function edit(author: Computer, from: string, to: string): Promise<void> {
  const path = `${FOLDER}/metadata.json`
  const text = await author.read(path)
  if (!text.includes(from)) throw new Error(`${from} is not in:\n${text}`)
  await author.write(path, text.replace(from, to))
}

/** Where the files of a package are once it is installed: `plugins/x` becomes `plugins/com_example_night-lamp/x`. */
export function installed(files: Files): Files {
  const name = IDENTIFIER.replaceAll('.', '_')
  return Object.fromEntries(
    Object.entries(files).map(([path, content]) => [path.replace('/', `/${name}/`), content]),
  )
}
