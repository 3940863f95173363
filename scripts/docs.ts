// Writes the documents generated from code: the OpenAPI document, the error catalogue, the tables of settings and
// commands.

import { writeFile } from 'node:fs/promises';
import { generatedDocuments } from './generated-documents.ts';

for (const [file, text] of await generatedDocuments()) {
  await writeFile(new URL(`../${file}`, import.meta.url), text);
  console.log(`wrote ${file}`);
}
