/** Of the pages that say something themselves. */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--ground:#f3f2ef;--surface:#fefdfc;--line:#dad9d5;--text:#1f1b17;--text-muted:#5a5650;--accent:#a64400;--focus:#006edc}
@media (prefers-color-scheme:dark){:root{--ground:#12100e;--surface:#1a1816;--line:#2f2d29;--text:#f1f0ed;--text-muted:#aeaca7;--accent:#ff9a6b;--focus:#6abfff}}
*{box-sizing:border-box;margin:0}
body{background:var(--ground);color:var(--text);font:1rem/1.5 ui-sans-serif,system-ui,-apple-system,Segoe UI,Inter,Noto Sans,sans-serif}
.message{min-height:100dvh;display:grid;grid-template-columns:minmax(0,30rem);place-content:center;padding:1rem}
main{border:1px solid var(--line);border-radius:1rem;padding:1.375rem clamp(1.125rem,6vw,2rem) 1.75rem;background:var(--surface);overflow-wrap:anywhere}
h1{font-size:1.375rem;font-weight:650;line-height:1.25;letter-spacing:-.018em;text-wrap:balance}
p{margin-top:.75rem;text-wrap:pretty}
.where{color:var(--text-muted);font-size:.875rem}
a{color:var(--accent)}
a:focus-visible{outline:3px solid var(--focus);outline-offset:3px;border-radius:.125rem}
pre{padding:1rem;font:.875rem/1.5 ui-monospace,SF Mono,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere;tab-size:4}
.picture{min-height:100dvh;display:grid;place-content:center}
.picture img{max-width:100%;height:auto}
`
