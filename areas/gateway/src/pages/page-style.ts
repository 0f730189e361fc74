/**
 * The one style of every page; the policy allows it by its hash. It uses none of the characters that are escaped in
 * HTML: inside a style element they would stay escaped, and the rule around them would be lost.
 */
export const PAGE_STYLE = `
:root{color-scheme:light dark;--ground:#f3f2ef;--surface:#fefdfc;--surface-raised:#fff;--surface-sunken:#ecebe7;--surface-hover:#eeede9;--line:#dad9d5;--text:#1f1b17;--text-muted:#5a5650;--warning-text:#7e5104;--warning-soft:#fbf0d8;--focus:#006edc;--face:#1a1816}
@media (prefers-color-scheme:dark){:root{--ground:#12100e;--surface:#1a1816;--surface-raised:#22201d;--surface-sunken:#0c0a08;--surface-hover:#292623;--line:#2f2d29;--text:#f1f0ed;--text-muted:#aeaca7;--warning-text:#f6c662;--warning-soft:#302614;--focus:#6abfff;--face:#0c0a08}}
*{box-sizing:border-box;margin:0}
body{min-height:100dvh;display:grid;grid-template-columns:minmax(0,29rem);place-content:center;gap:1.25rem;padding:1rem;background:var(--ground);color:var(--text);font:1rem/1.5 ui-sans-serif,system-ui,-apple-system,Segoe UI,Inter,Noto Sans,sans-serif;-webkit-text-size-adjust:100%}
main{border:1px solid var(--line);border-radius:1rem;background:var(--surface);overflow:clip;overflow-wrap:anywhere}
.face{display:block;width:100%;background:var(--face);border-bottom:1px solid var(--line)}
.nut{fill:#3f3d3a;stroke:#77746f}
.bore{fill:#080706;stroke:#77746f}
.cable{fill:none;stroke:#fc6b33;stroke-width:6;stroke-linecap:round}
.plug{fill:#fc6b33}
.tip{fill:#aeaca7}
.text{padding:1.375rem clamp(1.125rem,6vw,2rem) 1.75rem}
h1{font-size:1.5rem;font-weight:650;line-height:1.2;letter-spacing:-.018em;text-wrap:balance}
h2{margin-top:1.5rem;font-size:1rem;font-weight:650}
p,ul{margin-top:.75rem;text-wrap:pretty}
h2+p{margin-top:.25rem}
ul{padding-left:1.25rem}
li+li{margin-top:.375rem}
dl{margin-top:1rem;border-top:1px solid var(--line)}
dl div{padding:.5rem 0;border-bottom:1px solid var(--line)}
dt,.note,.phrase p{color:var(--text-muted);font-size:.875rem}
dd{margin:0;font-weight:600;overflow:clip}
.phrase{margin-top:1rem;padding:.75rem .5rem .875rem;border-radius:.75rem;background:var(--surface-sunken);text-align:center}
.phrase p,footer p{margin:0}
.phrase strong{display:block;margin-top:.25rem;font-size:clamp(1.25rem,5.2vw,1.625rem);font-weight:650;line-height:1.3;word-spacing:.2em;text-wrap:balance;overflow-wrap:normal}
.note{margin-top:.5rem}
.care{padding:.75rem 1rem;border-radius:.75rem;background:var(--warning-soft);color:var(--warning-text)}
form{display:grid;grid-template-columns:1fr 1fr;gap:.75rem;margin-top:1.25rem}
button{min-height:3rem;padding:.5rem;border:2px solid var(--text);border-radius:.5rem;background:var(--surface-raised);color:var(--text);font:inherit;font-weight:600;cursor:pointer}
button:hover{background:var(--surface-hover)}
button:focus-visible{outline:3px solid var(--focus);outline-offset:3px}
footer{display:flex;gap:.625rem;align-items:center;justify-content:center;padding:0 .5rem;color:var(--text-muted);font-size:.8125rem;line-height:1.4}
footer svg{flex:none}
.mark{fill:none;stroke:currentColor;stroke-width:4.5;stroke-linecap:round}
`
