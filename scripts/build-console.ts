// Builds the console of a clone where its server looks for it.

import { currentConsole } from '../bin/build-console.mjs';

await currentConsole();
