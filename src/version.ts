// The version of this Tocsin, from package.json.

import manifest from '../package.json' with { type: 'json' };

export const version: string = manifest.version;
