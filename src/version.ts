// The version of this Tocsin, as package.json has it.

import manifest from '../package.json' with { type: 'json' };

export const version: string = manifest.version;
