// The library that draws the page /docs, as one file for browsers. Scalar's package for Fastify carries that file, without the
// 270 packages it is built from, and hands it out as the answer to a request. Plain JavaScript, like bin/bundle.mjs.

/** Returns the bytes of the file; rejects where the development packages are not installed. */
export async function referenceLibrary() {
  const { fastify } = await import('fastify');
  const { default: scalar } = await import('@scalar/fastify-api-reference');
  const app = fastify();
  const content = { openapi: '3.1.0', info: { title: 'Tocsin', version: '1' }, paths: {} };
  app.register(scalar, { routePrefix: '/reference', configuration: { content } });
  const { statusCode, rawPayload } = await app.inject('/reference/js/scalar.js');
  await app.close();
  if (statusCode !== 200) throw new Error(`Scalar's package answers ${statusCode} instead of its file`);
  return rawPayload;
}
