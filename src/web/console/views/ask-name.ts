// The dialog for the name of a view, whose code is loaded when it is first shown.

import { onDemand } from '../shell/on-demand.tsx';

export const NameView = onDemand(async () => (await import('../shell/later.ts')).NameView);
