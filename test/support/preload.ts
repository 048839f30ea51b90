// Runs before every test file: its own environment, and what it passes on to the programs that it starts, is plain.

import { plainEnvironment } from './environment.ts';
import './folders.ts';

const plain = plainEnvironment(process.env);
for (const name of Object.keys(process.env)) if (plain[name] === undefined) delete process.env[name];
// Bun has read the zone by now, and reads it again only when it is set.
process.env.TZ = plain.TZ;
