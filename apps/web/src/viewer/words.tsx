import type { ReactNode } from 'react'

/** What the pages of the viewer say. */
export const words = {
  tabTitle: (title: string) => `${title} · Patchbay`,
  /** The name of a button for those who hear it apart from the picture that it stands beside. */
  forPicture: (action: string, picture: string) => `${action}: ${picture}`,
  keys: {
    apple: { modifier: '⌘', paste: '⌘V', copy: '⌘C' },
    other: { modifier: 'Ctrl', paste: 'Ctrl+V', copy: 'Ctrl+C' },
  },
  page: {
    title: 'Viewer',
    heading: 'Screenshots for your agent',
    lead: 'Paste one here at any time. Keep this page open: when an agent asks for a screenshot, it asks here.',
    latest: 'Latest pastes',
  },
  widget: {
    heading: 'Paste a screenshot',
    legend: 'Screenshot requested',
    earlier: 'Earlier pastes',
  },
  bar: {
    home: 'Viewer page',
    noProject: 'Viewer',
    active: 'Active page',
    notActive: 'Not the active page',
    reconnecting: 'Reconnecting',
    connecting: 'Connecting',
  },
  whereabouts: {
    away: 'No connection',
    connecting: 'Connecting',
    unreachable: 'Agents cannot reach this page until the viewer answers.',
    ready: 'Ready',
    anotherPage: 'Another page is active',
    opensHere: 'Widgets open in this page.',
    opensElsewhere: 'Widgets open in the page you used last. Click here to use this one.',
    folder: (folder: ReactNode) => <>Pastes are saved in {folder}</>,
  },
  away: 'The viewer is not responding. Retrying; images you add are kept in the meantime.',
  broken: {
    heading: 'This page stopped working',
    title: 'Everything saved is kept',
    reload: 'Reload the page',
    unknown: 'Unknown error.',
  },
  pasteArea: {
    label: 'Take pictures in',
    pressKeys: (modifier: ReactNode, letter: ReactNode) => (
      <>
        Press {modifier} {letter} to paste a screenshot
      </>
    ),
    orDrop: (largest: string) => `or drop pictures anywhere on this page, up to ${largest} each`,
    touch: (largest: string) => `Paste a screenshot, or choose pictures of up to ${largest} each`,
    paste: 'Paste',
    chooseFiles: 'Choose files',
    savedIn: (folder: ReactNode, largestSidePx: number) => (
      <>
        Saved in {folder} with at most {largestSidePx} pixels a side, and the original beside it.
      </>
    ),
  },
  dropCover: 'Drop images to save them',
  intake: {
    takeOne: (press: string) => `Take a screenshot, then press ${press}.`,
    isText: 'The clipboard holds text, not a picture',
    noPicture: 'The clipboard holds no picture',
    pressInstead: (keys: string) => ({
      title: `Press ${keys} instead`,
      detail: 'The browser does not let this button read the clipboard. The keys work anywhere on this page.',
    }),
    chooseInstead: {
      title: 'Choose a file instead',
      detail: 'The browser does not let this button read the clipboard. Save the screenshot, then choose it.',
    },
    folder: {
      title: 'A folder cannot be dropped here',
      detail: 'Open it and drop the pictures that are in it.',
    },
    noFile: {
      title: 'That is not a file',
      address: 'It is an address. Save the picture first, or copy the picture itself and paste it.',
      other: 'Drop the file of a picture, or paste a screenshot.',
    },
    tooMany: (count: number) => ({
      title: `${count} of the pictures found no room`,
      detail: 'A hundred can wait in line. Take in the rest once these are saved.',
    }),
  },
  own: {
    heading: 'Added here',
  },
  earlier: {
    loading: 'Loading recent pastes',
    none: 'Nothing has been pasted yet.',
    nothingElse: 'Nothing else yet.',
    showOlder: 'Show older',
  },
  upload: {
    nameless: 'Pasted picture',
    waiting: 'Waiting',
    sending: 'Sending',
    saving: 'Saving',
    sendAgain: 'Send again',
    dismiss: 'Dismiss',
    cancel: 'Cancel',
    empty: {
      title: 'The file is empty',
      detail: 'It has no bytes. Save the picture again, then try that.',
    },
    tooLarge: (size: string, largest: string) => ({
      title: 'The file is too large',
      detail: `It has ${size}; a picture may have ${largest}.`,
    }),
    unreadable: {
      title: 'The file can no longer be read',
      detail: 'It was moved, changed or removed. Add it again.',
    },
    unanswered: {
      title: 'The viewer is not responding',
      sentWhole: 'It was sent, but saving was not confirmed. Check below before you send it again.',
      kept: 'The image is kept here and sent as soon as the viewer is back.',
    },
  },
  paste: {
    rename: 'Rename',
    undo: 'Undo',
    undoRename: (name: string) => `Undo: give ${name} the name before`,
    delete: 'Delete',
    deleted: (name: ReactNode) => <>Deleted: {name}</>,
    undoDelete: (name: string) => `Undo: bring back ${name}`,
    became: 'became',
  },
  naming: {
    underWay: 'Looking for a name…',
    noBetterName: (note: string) => `No better name was found. ${note}`,
    noName: (note: string) => `No name was found. ${note}`,
    byTime: 'Named by its time.',
  },
  rename: {
    label: (name: string) => `New name of ${name}`,
    rule: 'Letters a to z, digits, and hyphens between them.',
    willBe: (name: string) => `Will be called ${name}`,
    nothingLeft: 'A name needs a letter from a to z, or a digit.',
    save: 'Save',
    cancel: 'Cancel',
  },
  copyPath: {
    copy: 'Copy path',
    copied: 'Copied',
    byHand: (keys: string) => `Could not access the clipboard. The path is selected: press ${keys}.`,
  },
  spoken: {
    pathCopied: 'Path copied.',
    saved: (path: string) => `Saved: ${path}.`,
    refused: (picture: string, title: string, detail: string) => `${picture}: ${title}. ${detail}`,
    named: (name: string | undefined) => `Named: ${name}.`,
    deleted: (name: string) => `Deleted: ${name}. It can be brought back in its place.`,
    restored: (name: string) => `Restored: ${name}.`,
    askedFor: (title: string | undefined) => `Asked for: ${title ?? 'a screenshot'}.`,
  },
}
