// The style sheet of the reference page, served as a separate file because the content security policy forbids inline
// styles.

export const referenceStyle = `:root {
  --paper: #fbfaf8; --card: #ffffff; --ink: #1d2129; --soft: #5c6370; --line: #e4e1da; --tint: #f3f1ec;
  --accent: #b3261e; --get: #1f6f4a; --post: #1f4f9c; --put: #8a5a00; --patch: #6b3fa0; --delete: #b3261e;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14161a; --card: #1b1e24; --ink: #e4e6ea; --soft: #9aa1ad; --line: #2c313a; --tint: #22262e;
    --accent: #ff8a80; --get: #6fcf9f; --post: #8ab4f8; --put: #f0b75a; --patch: #c6a3f5; --delete: #ff8a80;
  }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1.5rem; -webkit-text-size-adjust: 100%; }
body {
  margin: 0; display: grid; grid-template-columns: 18rem minmax(0, 1fr);
  background: var(--paper); color: var(--ink); font: 16px/1.6 var(--sans);
}
a { color: inherit; text-decoration-color: var(--line); text-underline-offset: .2em; }
a:hover { text-decoration-color: currentColor; }
a:focus-visible { outline: 2px solid var(--post); outline-offset: 2px; border-radius: 2px; }
code, pre { font-family: var(--mono); font-size: .875em; }
.skip { position: absolute; left: -99rem; }
.skip:focus { left: 1rem; top: 1rem; background: var(--card); padding: .5rem 1rem; z-index: 1; }

nav {
  position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.75rem 1rem 3rem 1.5rem;
  border-right: 1px solid var(--line); font-size: .875rem; line-height: 1.4;
}
.brand { margin: 0 0 1.5rem; font-size: 1.125rem; font-weight: 700; letter-spacing: -.01em; }
.brand a { text-decoration: none; }
.brand a::before { content: ""; display: inline-block; width: .6em; height: .6em; margin-right: .5em; border-radius: 50%; background: var(--accent); }
.brand span { color: var(--soft); font-weight: 400; font-size: .8125rem; }
nav h2 { margin: 1.5rem 0 .375rem; font-size: .75rem; text-transform: uppercase; letter-spacing: .06em; color: var(--soft); }
nav h2 a { text-decoration: none; }
nav ul { list-style: none; margin: 0; padding: 0; }
nav li a { display: flex; gap: .5rem; align-items: baseline; padding: .25rem .5rem .25rem 0; text-decoration: none; border-radius: 4px; }
nav li a:hover { background: var(--tint); }
nav .method { flex: none; width: 2.75rem; font-size: .625rem; text-align: right; background: none; padding: 0; color: var(--verb); }

main { padding: 2.5rem clamp(1rem, 4vw, 4rem) 6rem; max-width: 66rem; }
h1 { margin: 0 0 1rem; font-size: 2.25rem; line-height: 1.15; letter-spacing: -.025em; }
main > header p { max-width: 42rem; }
section.tag { margin-top: 4rem; }
section.tag > h2 { margin: 0 0 1.25rem; padding-bottom: .5rem; font-size: 1.5rem; letter-spacing: -.015em; border-bottom: 1px solid var(--line); }
article { margin: 0 0 1.5rem; padding: 1.5rem 1.75rem 1.75rem; background: var(--card); border: 1px solid var(--line); border-radius: 10px; }
article:target, tr:target { outline: 2px solid var(--post); outline-offset: -1px; }
h3 { margin: 0; font-size: 1.1875rem; letter-spacing: -.01em; }
h3 a { text-decoration: none; }
h3 a:hover::after { content: " #"; color: var(--soft); }
h4 { margin: 1.75rem 0 .5rem; font-size: .75rem; text-transform: uppercase; letter-spacing: .06em; color: var(--soft); }
small { font-size: .8125rem; font-weight: 400; color: var(--soft); text-transform: none; letter-spacing: 0; }
.address { display: flex; flex-wrap: wrap; gap: .5rem .625rem; align-items: center; margin: .5rem 0 0; }
.address code { font-size: .9375rem; overflow-wrap: anywhere; }

.method { --verb: var(--soft); font: 700 .6875rem/1 var(--mono); padding: .3125rem .4375rem; border-radius: 4px; color: var(--card); background: var(--verb); }
.get { --verb: var(--get); } .post { --verb: var(--post); } .put { --verb: var(--put); } .patch { --verb: var(--patch); } .delete { --verb: var(--delete); }
.scope { font: 500 .75rem/1 var(--mono); padding: .3125rem .5rem; border: 1px solid var(--line); border-radius: 99px; color: var(--soft); }

.scroll { overflow-x: auto; }
table { width: 100%; min-width: 34rem; table-layout: fixed; border-collapse: collapse; font-size: .875rem; line-height: 1.5; }
th, td { padding: .5rem .75rem .5rem 0; text-align: left; vertical-align: top; border-bottom: 1px solid var(--line); }
thead th:nth-child(1) { width: 32%; } thead th:nth-child(2) { width: 24%; }
#errors th:nth-child(1) { width: 26%; } #errors th:nth-child(2) { width: 12%; } #errors th:nth-child(4) { width: 16%; }
thead th { padding-top: 0; font-size: .75rem; font-weight: 500; color: var(--soft); }
tbody th { font-weight: 500; overflow-wrap: break-word; }
tbody tr:last-child > * { border-bottom: 0; }
td.type { color: var(--soft); font-family: var(--mono); font-size: .8125rem; overflow-wrap: break-word; }
.required, .optional { margin-left: .5rem; font-size: .6875rem; font-weight: 400; color: var(--accent); }
.optional { color: var(--soft); }
.usual { color: var(--soft); white-space: nowrap; }
.depth-1 { padding-left: 1.25rem; } .depth-2 { padding-left: 2.5rem; } .depth-3 { padding-left: 3.75rem; } .depth-4 { padding-left: 5rem; }
.whole { margin: .25rem 0 .75rem; font-size: .875rem; color: var(--soft); }
td code, p code, li code { padding: .1em .3em; background: var(--tint); border-radius: 3px; }
.address code { background: none; padding: 0; }

.response { margin: .75rem 0 .25rem; display: flex; gap: .5rem; align-items: baseline; }
.status { font: 700 .75rem/1 var(--mono); }
.good { color: var(--get); } .bad { color: var(--accent); }
.refusals { list-style: none; margin: 1rem 0 0; padding: 0; display: flex; flex-wrap: wrap; gap: .375rem; font-size: .8125rem; }
.refusals a { display: inline-block; padding: .125rem .5rem; border: 1px solid var(--line); border-radius: 99px; text-decoration: none; color: var(--soft); }
.refusals a:hover { border-color: currentColor; }
pre { margin: 0; padding: .875rem 1rem; overflow-x: auto; background: var(--tint); border-radius: 6px; line-height: 1.5; tab-size: 2; }

@media (max-width: 60rem) {
  body { display: block; }
  nav { position: static; height: auto; max-height: 45vh; border-right: 0; border-bottom: 1px solid var(--line); padding-bottom: 1rem; }
  main { padding-top: 1.5rem; }
  h1 { font-size: 1.75rem; }
  article { padding: 1.125rem 1rem 1.25rem; }
}
@media print {
  body { display: block; } nav { display: none; } article { break-inside: avoid; }
}
`;
