// Whether the steps of signing in stand over a page that the agent does not want to leave.

import { createContext } from 'preact';

/** The agent who was signed in; null on the page for signing in. */
export const OverPage = createContext<{ email: string } | null>(null);
