// The style sheet of our own pages; what is drawn by the library brings its own style, which this one must not touch.

export const pageStyle = `:root {
  --paper: #fbfaf8; --ink: #1d2129; --soft: #5c6370; --line: #e4e1da; --mark: #fff2c2;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Code", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root { --paper: #14161a; --ink: #e4e6ea; --soft: #9aa1ad; --line: #2c313a; --mark: #4a3f16; }
}
body { margin: 0; }
.plain { max-width: 60rem; margin: 0 auto; padding: 2rem 1rem 4rem; color: var(--ink); font: 16px/1.6 var(--sans); }
html:has(.plain) { background: var(--paper); }
.plain a { color: inherit; }
.plain code { font-family: var(--mono); font-size: .875em; }
.plain .scroll { overflow-x: auto; }
.plain table { border-collapse: collapse; width: 100%; }
.plain th, .plain td { padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
.plain thead th { color: var(--soft); font-size: .875rem; font-weight: 500; }
.plain tr:target { background: var(--mark); }
`;
