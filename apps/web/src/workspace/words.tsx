import type { ReactNode } from 'react'

/**
 * What the page of a workspace says around its panels. What `capture` and `sandbox` say stands there: they are also bundled
 * without React, which the elements here would bring along.
 */
export const words = {
  page: {
    documentTitle: (owner: string, repo: string) => `${owner}/${repo} · Patchbay`,
    heading: 'Workspace',
    headingOf: (owner: string, repo: string) => `Workspace ${owner}/${repo}`,
    skip: 'Skip to the panels',
    checkingSignIn: 'Checking your sign-in',
    opening: 'Opening the workspace',
  },
  empty: {
    title: 'This workspace is empty',
    text: 'Arrange panels side by side: editors, viewers, web pages, sandboxes. Scripts and agents can add and drive them as well, and you see who does what.',
    add: 'Add the first panel',
    reopen: 'Reopen closed tab',
  },
  closed: {
    signedOut: {
      title: 'Sign in to open this workspace',
      text: 'You are signed out. Everything in the workspace is kept.',
    },
    gone: {
      title: 'Workspace not found',
      text: 'It was deleted, renamed, or never existed.',
    },
    notPermitted: {
      title: 'You do not have access to this workspace',
      text: 'It belongs to someone else. Ask the owner to share it with you.',
    },
    other: { title: 'The workspace was closed', text: 'Reload the page to open it again.' },
    signIn: 'Sign in',
    all: 'All workspaces',
    make: (owner: string, repo: string) => `Make ${owner}/${repo}`,
  },
  broken: {
    heading: 'This page stopped working',
    title: 'Everything in the workspace is kept',
    reload: 'Reload the page',
    unknown: 'Unknown error.',
  },
  nav: {
    home: 'Patchbay, all workspaces',
    links: {
      opening: 'Connecting',
      open: 'Connected',
      away: 'Reconnecting',
      ended: 'Ended',
    },
    viewOnly: 'View only',
    palette: (keys: string) => `Search and commands (${keys})`,
    commandsHere: (browsers: number) => `Commands run in this browser, of ${browsers}`,
    commandsElsewhere: (browsers: number) => `Commands run in another browser, of ${browsers}`,
    add: 'Add panel',
    agents: 'Agents',
    away: 'Connection lost. Your changes are kept and sent when it is back.',
  },
  agents: {
    title: 'Agents',
    heading: 'Agents and scripts',
    list: 'Scripts and agents',
    none: 'No scripts or agents yet. One that signs in with an API key or a login is listed here, with what it does.',
    ended: 'Ended',
    apiKey: 'API key',
    application: 'Application',
    actions: (count: number) => `${count} ${count === 1 ? 'action' : 'actions'}`,
    giveBack: 'Give back',
    end: 'End access',
    switchOf: (label: string, name: string) => `${label}: ${name}`,
    activity: 'Activity',
    noActivity: 'Nothing yet.',
    times: (count: number) => `${count} times`,
    reason: (reason: string) => `“${reason}”`,
  },
  sharing: {
    bar: 'Capture',
    menu: 'Capture',
    pageAndScreen: 'Capture: sharing this page and the whole screen',
    page: 'Capture: sharing this page',
    screen: 'Capture: sharing the whole screen',
    none: 'Capture',
    startPage: 'Share this page',
    stopPage: 'Stop sharing this page',
    startScreen: 'Share the whole screen',
    stopScreen: 'Stop sharing the whole screen',
    refused: 'Sharing was not allowed by the browser',
    stopped: 'Reloading the page turned sharing off. Screenshots need it on.',
    again: 'Share again',
    notNow: 'Not now',
  },
  consent: {
    title: 'Share for screenshots?',
    asks: (name: ReactNode, handle: string) => (
      <>
        {name} of {handle} wants to take a screenshot.
      </>
    ),
    asksForScreen: (name: ReactNode, handle: string) => (
      <>
        {name} of {handle} wants to take a screenshot of your whole screen.
      </>
    ),
    noReason: 'No reason given.',
    whatScreen: 'Your screen is shared for one screenshot within the next minute.',
    whatPage:
      'Until you stop sharing, scripts and agents with permission can take screenshots. Stop any time with the monitor icon in the bar.',
    share: 'Share',
    notNow: 'Not now',
    refused: {
      title: 'Nothing is shared',
      text: 'The browser did not allow it. Select Share to try again.',
    },
  },
  picker: {
    title: 'Add a panel',
    search: 'Search',
    loading: 'Loading panels',
    count: (ready: number, coming: number) => {
      const panels = `${ready} ${ready === 1 ? 'panel' : 'panels'}`
      return coming === 0 ? panels : `${panels}, ${coming} coming`
    },
    coming: 'Coming',
    isOpen: 'Already open; only one is allowed',
    none: 'No panels match your search.',
    recentlyClosed: 'Recently closed',
    closed: (when: ReactNode) => <>Closed {when}. Reopen it with what it showed.</>,
  },
  palette: {
    open: 'Search and commands',
    title: 'Search and commands',
    placeholder: 'Type a command, tab, person, panel or file',
    found: 'Results',
    commands: 'Commands',
    tabs: 'Open tabs',
    panels: 'Add a panel',
    files: 'Files',
    account: 'Your account',
    find: 'Find in files',
    hint: 'Type to search. Arrow keys select, Enter opens, Esc closes.',
    count: (count: number) => (count === 0 ? 'No results' : `${count} ${count === 1 ? 'result' : 'results'}`),
    filesFailed: 'Files could not be loaded.',
    fileNotShown: 'There is no Files panel to show the file in',
    /** Other words that people look for a command by. */
    also: {
      add: 'new open insert tab',
      find: 'search text grep lines code',
      agents: 'activity access scripts',
      shortcuts: 'keys help hotkeys',
      workspaces: 'switch open leave',
      theme: 'settings appearance mode color',
    },
  },
  arming: {
    asked: (name: string, device: string, reason: string | undefined) =>
      `${name} wants to use ${device}${reason === undefined ? '' : `: ${reason}`}. Arm it for agents to allow that.`,
    devices: 'Devices',
  },
  bench: {
    add: 'Add a simulated bench',
    also: 'devices simulate demo hardware try development',
    added: (devices: number) => `${devices} simulated devices are connected`,
  },
  shortcuts: {
    title: 'Keyboard shortcuts',
    anywhere: 'Anywhere',
    onTabs: {
      title: 'On a tab',
      rows: [{ keys: '← →', label: 'Previous or next tab' }],
      menu: [{ keys: 'Enter', label: 'Open the menu of the tab' }],
    },
    onBorders: {
      title: 'On a border',
      rows: [{ keys: '← → ↑ ↓', label: 'Move the border' }],
    },
  },
  dock: {
    allTabs: 'All tabs',
    allOf: (count: number) => `All ${count} tabs`,
    thisPlace: 'this place',
    add: (title: string) => `Add a panel beside ${title}`,
    actions: (title: string) => `Actions for ${title}`,
    border: (one: string, other: string) => `Border between ${one} and ${other}`,
    emptyPlace: 'an empty place',
  },
  tab: {
    live: (name: string, action: string) => `${name}: ${action}`,
    menu: 'Tab',
    rename: 'Rename',
    reopen: 'Reopen closed tab',
    close: 'Close',
    moveLeft: 'Move tab left',
    moveRight: 'Move tab right',
    splitLeft: 'Split left',
    splitRight: 'Split right',
    splitUp: 'Split up',
    splitDown: 'Split down',
    moveTo: (title: string) => `Move to the group of ${title}`,
    anotherPlace: 'another place',
    wider: 'Make wider',
    narrower: 'Make narrower',
    taller: 'Make taller',
    shorter: 'Make shorter',
  },
  renaming: {
    title: 'Rename the tab',
    label: 'Title',
    rename: 'Rename',
  },
  closing: {
    closed: (title: string) => `Closed ${title}`,
    undo: 'Undo',
    none: 'No tab was closed in the last 30 days',
  },
  history: {
    undo: 'Undo layout change',
    redo: 'Redo layout change',
    nothing: { undo: 'Nothing to undo', redo: 'Nothing to redo' },
    did: {
      undo: (step: string) => `Undid ${step}`,
      redo: (step: string) => `Redid ${step}`,
    },
    steps: {
      addTab: (title: string) => `opening ${title}`,
      removeTab: (title: string) => `closing ${title}`,
      moveTab: (title: string) => `moving ${title}`,
      activateTab: (title: string) => `showing ${title}`,
      retitleTab: (title: string) => `renaming ${title}`,
      resizeSplit: 'resizing',
      replace: 'a new layout',
    },
  },
  copies: {
    unsaved: (title: string) => `Your text in “${title}” isn’t saved`,
    open: 'Open in a new tab',
    mark: ' (copy)',
  },
  changes: {
    tooMany: 'Too many changes are waiting. Wait for the connection to return.',
  },
  panel: {
    untitled: 'Panel',
    loadingCatalog: 'Loading panels',
    noCatalog: {
      title: 'The catalog could not be loaded',
      text: 'The contents of this tab are only on the server.',
    },
    removed: {
      title: 'This panel is no longer in the catalog',
      text: 'Its owner removed it from the catalog. Close the tab, or keep it in case it returns.',
    },
    planned: {
      title: (name: string) => `${name} is coming soon`,
      text: (description: string) => `This panel is not available yet. ${description}`,
    },
    loading: (name: string) => `Loading ${name}`,
    notLoaded: {
      title: 'This panel could not be loaded',
      text: 'The network may be down, or the server was updated. If this continues, reload the page.',
    },
    broken: 'This panel stopped working',
    retry: 'Try again',
    restart: 'Restart',
  },
  /** For whoever sent the command, and in the log. */
  commands: {
    oldPage: 'This page is older than the server. Reload it.',
    noTab: 'The tab is not in this page',
    noFrame: 'No frame is ready to run code',
    tooMany: 'Too many screenshots are in progress',
    noScreenshots: 'This panel does not support screenshots',
    declined: 'The user answered "Not now"',
    asked: 'The user has been asked to share',
    notReady: 'The workspace is not ready yet',
  },
  log: {
    links: {
      opening: 'Connecting',
      open: 'Connected',
      away: 'Connection lost, reconnecting',
      ended: 'Connection closed',
    },
    refused: (message: string) => `Not done: ${message}`,
    acted: (name: string, handle: string, action: string) => `${name} (${handle}): ${action}`,
    actedBecause: (name: string, handle: string, action: string, reason: string) =>
      `${name} (${handle}): ${action}, because: ${reason}`,
    noSharing: (error: string) => `Sharing did not start: ${error}`,
    uncaught: (error: string) => `Uncaught ${error}`,
    uncaughtInPromise: (reason: string) => `Uncaught in a promise: ${reason}`,
    codeFailed: (error: string) => `Code failed: ${error}`,
    unknown: 'unknown error',
    screenshotFailed: (name: string, handle: string, message: string) =>
      `The screenshot for ${name} (${handle}) failed: ${message}`,
  },
}
