/** The text of a script, made while the app is built; see `scriptText` in the configuration of Vite. */
declare module '*?script' {
  export const text: string
}
