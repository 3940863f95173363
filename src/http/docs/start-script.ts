// The script that starts the reference on its page: a file of its own, because the content security policy forbids
// scripts within the page.

export const startScript = `'use strict';
(() => {
  const { base } = document.currentScript.dataset;
  // The field type of a refusal names an error on this page; the errors have a page of their own.
  if (location.hash.startsWith('#error-')) return location.replace(base + '/docs/errors' + location.hash);
  if (window.Scalar === undefined) return;
  document.getElementById('without-script').remove();
  Scalar.createApiReference('#reference', {
    url: base + '/api/v1/openapi.json',
    orderSchemaPropertiesBy: 'preserve',
    orderRequiredPropertiesFirst: false,
    // Nothing is loaded from or sent to other hosts.
    withDefaultFonts: false,
    telemetry: false,
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
    showDeveloperTools: 'never',
    authentication: { preferredSecurityScheme: 'signIn' },
  });
})();
`;
