// What follows the desk while the console is open, as one file for browsers.

export { startPresence } from './presence.ts';
export { startStream } from './stream.ts';
