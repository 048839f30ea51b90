// What follows the desk while the console is open, as one file for browsers.

export { startPush } from '../push/device.ts';
export { startPresence } from './presence.ts';
export { startStream } from './stream.ts';
