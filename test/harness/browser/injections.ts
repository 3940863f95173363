// A hundred texts that would run a script, or break out of where they stand, if a page took them for more than text.

const script = 'window.injected=1';

const elements = ['img', 'svg', 'body', 'video', 'audio', 'iframe', 'object', 'embed', 'input', 'details'] as const;
const handlers = ['onload', 'onerror', 'onfocus', 'ontoggle'] as const;

const withHandlers = elements.flatMap((element) =>
  handlers.map((handler) => `<${element} src=x ${handler}=${script} autofocus open>`),
);

const withAddresses = [
  'javascript:',
  'JaVaScRiPt:',
  'java\tscript:',
  ' javascript:',
  'data:text/html,',
  'vbscript:',
].flatMap((scheme) => [
  `<a href="${scheme}${script}">x</a>`,
  `<form action="${scheme}${script}"><button>x</button></form>`,
]);

const breakingOut = [
  '"',
  "'",
  '`',
  '">',
  "'>",
  '-->',
  ']]>',
  '</title>',
  '</textarea>',
  '</style>',
  '</script>',
  '{{',
  '${',
  '\\',
].map((end) => `${end}<script>${script}</script>`);

const others = [
  `<script>${script}</script>`,
  `<ScRiPt>${script}</ScRiPt>`,
  `<script src=data:,${script}></script>`,
  `<scr<script>ipt>${script}</scr</script>ipt>`,
  `<svg><script>${script}</script></svg>`,
  `<math><mtext><script>${script}</script></mtext></math>`,
  `<template><script>${script}</script></template>`,
  `<noscript><p title="</noscript><img src=x onerror=${script}>">`,
  `<style>@import 'data:,*{background:red}';</style>`,
  `<link rel=stylesheet href=data:text/css,*{display:none}>`,
  `<meta http-equiv=refresh content="0;url=javascript:${script}">`,
  `<base href="https://example.org/">`,
  `<iframe srcdoc="<script>parent.${script}</script>"></iframe>`,
  `<object data="data:text/html,<script>${script}</script>"></object>`,
  `&lt;script&gt;${script}&lt;/script&gt;`,
  `&#60;script&#62;${script}&#60;/script&#62;`,
  `\u003cscript\u003e${script}\u003c/script\u003e`,
  `%3Cscript%3E${script}%3C/script%3E`,
  `{{constructor.constructor('${script}')()}}`,
  `\${${script}}`,
  `#{${script}}`,
  `<%= ${script} %>`,
  `'; ${script}; //`,
  `"; ${script}; //`,
  `1;${script}`,
  `__proto__`,
  `constructor`,
  `\u202e<script>${script}</script>`,
  `\u2028${script}`,
  `\u0000<script>${script}</script>`,
  `<img src="x" onerror="${script}" alt="${'a'.repeat(2_000)}">`,
  `=cmd|' /C calc'!A0`,
  `@SUM(1+1)`,
  `[click](javascript:${script})`,
];

export const injections: readonly string[] = [...withHandlers, ...withAddresses, ...breakingOut, ...others];
