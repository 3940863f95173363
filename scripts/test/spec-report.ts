// The spec reporter of node:test, with the places of the sources in the stacks of errors.

import { Readable } from 'node:stream';
import { spec, type TestEvent } from 'node:test/reporters';
import { withSourcePlaces } from './source-places.ts';

// biome-ignore lint/style/noDefaultExport: node:test takes a reporter from the default export.
export default async function* specReport(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const text of Readable.from(events).pipe(new spec())) yield withSourcePlaces(String(text));
}
