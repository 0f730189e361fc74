const files = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'file' : 'files'}`

/** What the panel of files says. */
export const words = {
  bar: {
    label: 'Files',
    newFile: 'New file',
    newFolder: 'New folder',
    more: 'More actions',
    moreFor: (name: string) => `Actions for ${name}`,
  },
  tree: 'Files',
  row: (name: string, detail: string) => `${name}, ${detail}`,
  filesIn: files,
  draft: 'not saved until it has a file',
  loading: 'Loading files',
  empty: {
    title: 'No files yet',
    text: 'Drop files or folders here, upload them, or create the first one.',
    readOnly: 'Nobody has added a file to this workspace yet.',
  },
  status: (count: number, size: string) => `${files(count)} · ${size}`,
  viewOnly: 'View only',
  away: 'Offline. This list may be out of date.',
  menu: {
    label: 'File actions',
    open: 'Open',
    download: 'Download',
    downloadFolder: 'Download as ZIP',
    downloadAll: 'Download all files as ZIP',
    newFile: 'New file here',
    rename: 'Rename',
    renameKey: 'F2',
    move: 'Move…',
    delete: 'Delete',
    deleteKey: 'Delete',
  },
  path: {
    label: 'Path',
    name: 'Name',
    example: 'firmware/src/main.c',
    cancel: 'Cancel',
    taken: (path: string) => `“${path}” already exists.`,
    newFile: { title: 'New file', submit: 'Create' },
    newFolder: {
      title: 'New folder',
      submit: 'Create',
      help: 'A folder is saved with its first file. Until then only you see it.',
    },
    rename: { title: 'Rename', submit: 'Rename' },
    move: {
      title: (name: string) => `Move ${name}`,
      submit: 'Move',
      help: 'The new path, with its folders.',
    },
    slash: 'A name has no slash in it. Move puts it into another folder.',
  },
  deleting: {
    title: (name: string) => `Delete ${name}?`,
    file: 'The file is removed for everyone. Its history is kept.',
    folder: (count: number) => `${files(count)} in it are removed for everyone. Their history is kept.`,
    keep: 'Keep it',
    delete: 'Delete',
    done: (name: string) => `Deleted ${name}`,
    undo: 'Undo',
    undone: (name: string) => `Restored ${name}`,
    anyway: 'Delete anyway',
  },
  changedMeanwhile: {
    title: 'Changed meanwhile',
    text: (name: string) => `Somebody has changed ${name} since you opened this.`,
    keepTheirs: 'Keep theirs',
  },
  moved: (name: string, folder: string) =>
    folder === '' ? `Moved ${name} to the top` : `Moved ${name} to ${folder}`,
  problems: {
    taken: {
      title: 'Something is in the way',
      detail: (path: string) => `“${path}” already exists, perhaps with other upper and lower case.`,
    },
    gone: {
      title: 'It isn’t there anymore',
      detail: 'Somebody has moved or deleted it meanwhile.',
    },
    limit: {
      title: 'There’s no room for this',
      detail: 'The workspace or its owner has reached a limit for files.',
    },
  },
}
