/** What the code editor says. */
export const words = {
  bar: 'Code editor',
  fileName: 'File name',
  fileNameExample: 'untitled.txt',
  language: 'Language',
  languageByName: (name: string) => `Auto: ${name}`,
  languages: {
    text: 'Plain text',
    c: 'C',
    cpp: 'C++',
    javascript: 'JavaScript',
    json: 'JSON',
    markdown: 'Markdown',
    python: 'Python',
    rust: 'Rust',
    toml: 'TOML',
    verilog: 'Verilog, SystemVerilog',
    vhdl: 'VHDL',
    xml: 'XML',
    yaml: 'YAML',
  },
  open: 'Open a file',
  download: 'Download',
  leaving: 'Esc, then Tab leaves the editor',
  leavingSpoken: 'Tab indents. To leave the editor press Escape, then Tab.',
  notOpened: {
    title: 'The file was not opened',
    tooLarge: (name: string, most: number) =>
      `${name} is too large: ${most.toLocaleString('en')} characters can be edited here.`,
    noText: (name: string) => `${name} is not a text file, or is not encoded as UTF-8.`,
  },
  conflict: {
    title: 'Changed in another browser',
    text: 'Your text is shown here and isn’t saved until you choose. Keep both opens yours in a new tab.',
    keepBoth: 'Keep both',
    keepMine: 'Keep mine',
    takeTheirs: 'Take theirs',
  },
  other: {
    replaced: {
      title: 'Another browser replaced your text',
      text: 'Keep a copy opens what you wrote in a new tab.',
    },
    unstored: {
      title: 'Another browser has a different version',
      text: 'It isn’t saved yet and may replace this text. Keep a copy opens this one in a new tab.',
    },
    keepCopy: 'Keep a copy',
    dismiss: 'Dismiss',
  },
  tooLong: {
    title: 'This text is too long to be stored',
    text: (most: number) =>
      `What you see is kept in this tab only. About ${most.toLocaleString('en')} characters can be stored.`,
  },
}
